import { isUnavailable } from '../database/index.js'
import { AppError, type ErrorKind } from '../errors/index.js'

const temporaryKinds: readonly ErrorKind[] = ['unavailable', 'uncertain', 'limit']

/**
 * Whether the same delivery may succeed later: something it depends on does not answer (an AppError `unavailable`, which is also what gRPC's
 * UNAVAILABLE and DEADLINE_EXCEEDED become), is limited, is locked, or was lost, also after the effect: a delivery may come twice. Everything else
 * is a fault of the event or of the program.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof AppError) return temporaryKinds.includes(error.kind) || error.retryAfterSeconds !== undefined
  if (!(error instanceof Error)) return false
  return isUnavailable(error) || isTemporary(error.cause)
}
