import { conflict } from '@caseway/kit/errors'

/** The case is not in a state from which this move leads on. */
export const issueState = () => conflict('ISSUE_STATE', 'The case is in a state that does not allow this.')
