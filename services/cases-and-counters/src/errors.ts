import { conflict, invalid } from '@caseway/kit/errors'

/** The state table of cases does not allow the transition. */
export const issueState = () => conflict('ISSUE_STATE', 'The case is in a state that does not allow this.')

/** The sentence was sent and is final, or the state table of replies does not allow the transition. */
export const issueSentenceState = () => conflict('ISSUE_SENTENCE_STATE', 'The sentence is in a status that does not allow this.')

/** A record to which cases refer cannot be deleted. Subjects and providers can be made inactive instead. */
export const issueSubjectInUse = () => conflict('ISSUE_SUBJECT_IN_USE', 'There are cases with this subject.')
export const issueInitiatorInUse = () => conflict('ISSUE_INITIATOR_IN_USE', 'There are cases or persons of providers with this contact.')
export const providerInUse = () => conflict('PROVIDER_IN_USE', 'There are cases or persons of this provider.')

/** A subject has at most one label. */
export const issueSubjectLabelExists = () => conflict('ISSUE_SUBJECT_LABEL_EXISTS', 'The subject has a label already.')

/** An address belongs to at most one person over all providers of an office. */
export const providerPersonEmailUsed = () => invalid({ email: 'is already used' })
