import { conflict } from '@caseway/kit/errors'

/** The case is not in a state from which this move leads on. */
export const issueState = () => conflict('ISSUE_STATE', 'The case is in a state that does not allow this.')

/** What cases name can be made inactive, but not deleted: a case must not lose what it was about. */
export const issueSubjectInUse = () => conflict('ISSUE_SUBJECT_IN_USE', 'There are cases with this subject.')

/** A subject has one label. */
export const issueSubjectLabelExists = () => conflict('ISSUE_SUBJECT_LABEL_EXISTS', 'The subject has a label already.')
