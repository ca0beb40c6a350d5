import { isUnavailable } from '../database/index.js'
import { AppError, type ErrorKind } from '../errors/index.js'

const temporaryKinds: readonly ErrorKind[] = ['unavailable', 'uncertain', 'limit']

/**
 * Whether a retry may succeed: a dependency did not answer (AppError `unavailable`, which gRPC's UNAVAILABLE and DEADLINE_EXCEEDED become), the error is a
 * `limit` or has `retryAfterSeconds`, a row was locked, or a connection was lost, even where the effect may have been committed: an event may be delivered
 * twice anyway. Every other error is permanent: a fault of the event or of the program.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof AppError) return temporaryKinds.includes(error.kind) || error.retryAfterSeconds !== undefined
  if (!(error instanceof Error)) return false
  return isUnavailable(error) || isTemporary(error.cause)
}
