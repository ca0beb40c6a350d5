import { AppError, conflict, invalid } from '@caseway/kit/errors'

/** The case is not in a state from which this move leads on. */
export const issueState = () => conflict('ISSUE_STATE', 'The case is in a state that does not allow this.')

/** A client reads on after the link with the office has ended, and writes nothing there. */
export const linkEnded = () => new AppError('forbidden', 'LINK_ENDED', 'Your link with this office is not active.')

/** Fields that point at records which the caller's office does not have; the same for a foreign id and an unknown one. */
export const noSuchRecord = (fields: readonly string[]) => invalid(Object.fromEntries(fields.map((field) => [field, 'does not exist'])))
