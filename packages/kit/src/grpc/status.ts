import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js'
import { AppError, type ErrorKind, errorKinds, unavailable } from '../errors/index.js'

/** The metadata key of an AppError's code, fields and `retryAfterSeconds`, as JSON. */
const errorKey = 'caseway-error-bin'

/** The gRPC status (google.rpc.Code) of each kind of error. No two kinds share one, so that a client can map it back. */
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

/** What a caller over gRPC sees of `error`: all of an AppError, and of anything else only that there was an internal error. */
export function statusOf(error: unknown): StatusObject {
  const metadata = new Metadata()
  if (!(error instanceof AppError)) return { code: status.INTERNAL, details: 'Internal error.', metadata }
  const { kind, code, message, fields, retryAfterSeconds } = error
  metadata.set(errorKey, Buffer.from(JSON.stringify({ kind, code, message, fields, retryAfterSeconds })))
  return { code: grpcStatus[kind], details: message, metadata }
}

/**
 * The codes of gRPC itself after which the same call may succeed later. UNIMPLEMENTED is among them: during a rollout the caller may be of a newer build than
 * the server, which is about to be replaced.
 */
const transientCodes = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.UNIMPLEMENTED]

/**
 * The error that the other side threw. A status without our details comes from gRPC itself: a transient one becomes `unavailable`, and every
 * other one is returned as it is.
 */
export function errorOf(failure: ServiceError): Error {
  const restored = restore(failure)
  if (restored) return restored
  return transientCodes.includes(failure.code) ? unavailable(failure) : failure
}

function restore(failure: ServiceError): AppError | undefined {
  const details = detailsOf(failure)
  // A kind that only a newer build knows is judged by its status.
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
