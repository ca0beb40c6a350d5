import { conflict, invalid } from '@caseway/kit/errors'

/** The case is not in a state from which this move leads on. */
export const issueState = () => conflict('ISSUE_STATE', 'The case is in a state that does not allow this.')

/** The sentence was sent, and is final, or is not in a status from which this leads on. */
export const issueSentenceState = () => conflict('ISSUE_SENTENCE_STATE', 'The sentence is in a status that does not allow this.')

/** What a case names is not deleted, so that no case loses what it is about; a subject and a provider can be made inactive. */
export const issueSubjectInUse = () => conflict('ISSUE_SUBJECT_IN_USE', 'There are cases with this subject.')
export const issueInitiatorInUse = () => conflict('ISSUE_INITIATOR_IN_USE', 'There are cases or persons of providers with this contact.')
export const providerInUse = () => conflict('PROVIDER_IN_USE', 'There are cases or persons of this provider.')

/** A subject has one label. */
export const issueSubjectLabelExists = () => conflict('ISSUE_SUBJECT_LABEL_EXISTS', 'The subject has a label already.')

/** Of all persons of all providers of an office, one has this address. */
export const providerPersonEmailUsed = () => invalid({ email: 'is already used' })
