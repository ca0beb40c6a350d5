import { isUnavailable } from '../database/index.js'
import { AppError } from '../errors/index.js'

/**
 * Whether the same delivery may succeed later: something it depends on does not answer (an AppError `unavailable`, which is also what gRPC's
 * UNAVAILABLE and DEADLINE_EXCEEDED become), is limited, is locked, or was lost. Everything else is a fault of the event or of the program.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof AppError) return error.kind === 'unavailable' || error.kind === 'limit' || error.retryAfterSeconds !== undefined
  if (!(error instanceof Error)) return false
  return isUnavailable(error) || isTemporary(error.cause)
}
