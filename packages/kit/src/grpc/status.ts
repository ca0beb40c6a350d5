import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js'
import { AppError, type ErrorKind, errorKinds, unavailable } from '../errors/index.js'

/** Carries what a status alone cannot: code, fields, time to wait. */
const errorKey = 'caseway-error-bin'

/** What each kind of error is in gRPC (google.rpc.Code). No two share one, so that the way back is clear too. */
export const grpcStatus = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  'not-found': status.NOT_FOUND,
  conflict: status.FAILED_PRECONDITION,
  stale: status.ABORTED,
  'too-large': status.OUT_OF_RANGE,
  limit: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  uncertain: status.UNKNOWN,
} satisfies Record<ErrorKind, status>

/** What a caller over gRPC sees of `error`: an AppError whole, of anything else nothing. */
export function statusOf(error: unknown): StatusObject {
  const metadata = new Metadata()
  if (!(error instanceof AppError)) return { code: status.INTERNAL, details: 'Internal error.', metadata }
  const { kind, code, message, fields, retryAfterSeconds } = error
  metadata.set(errorKey, Buffer.from(JSON.stringify({ kind, code, message, fields, retryAfterSeconds })))
  return { code: grpcStatus[kind], details: message, metadata }
}

/** What may pass. A method that is not implemented is one of a newer build than that of the other side, which is being replaced. */
const passing = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.UNIMPLEMENTED]

/**
 * The error that the other side threw. A status without our details comes from gRPC itself: then what may pass is `unavailable`, and the
 * rest is a fault, given back as it is.
 */
export function errorOf(failure: ServiceError): Error {
  const restored = restore(failure)
  if (restored) return restored
  return passing.includes(failure.code) ? unavailable(failure) : failure
}

function restore(failure: ServiceError): AppError | undefined {
  const details = detailsOf(failure)
  // A kind of a newer build is known by its status alone.
  if (!details || !errorKinds.includes(details.kind) || grpcStatus[details.kind] !== failure.code) return undefined
  const { kind, code, message, fields, retryAfterSeconds } = details
  return new AppError(kind, code, message, { fields, retryAfterSeconds, cause: failure })
}

function detailsOf({ metadata }: ServiceError): AppError | undefined {
  const [bytes] = metadata.get(errorKey)
  try {
    return bytes && JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
