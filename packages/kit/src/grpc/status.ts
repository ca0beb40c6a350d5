import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js'
import { AppError, type ErrorKind, errorKinds, unavailable } from '../errors/index.js'

/** The metadata key under which an AppError is sent as JSON. */
const errorKey = 'caseway-error-bin'

/** The gRPC status (google.rpc.Code) of each kind of error. Each kind has a status of its own. */
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

/** The status with which a call is answered: an AppError is sent completely, and any other error as INTERNAL without details. */
export function statusOf(error: unknown): StatusObject {
  const metadata = new Metadata()
  if (!(error instanceof AppError)) return { code: status.INTERNAL, details: 'Internal error.', metadata }
  const { kind, code, message, fields, retryAfterSeconds } = error
  metadata.set(errorKey, Buffer.from(JSON.stringify({ kind, code, message, fields, retryAfterSeconds })))
  return { code: grpcStatus[kind], details: message, metadata }
}

/**
 * The codes after which the same call may succeed later. UNIMPLEMENTED is among them, because during a rollout the caller may be newer than the server, which
 * is about to be replaced.
 */
const transientCodes = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.UNIMPLEMENTED]

/**
 * The AppError that the server threw. A status without one comes from gRPC itself: a transient one becomes `unavailable`, and any other is returned
 * unchanged.
 */
export function errorOf(failure: ServiceError): Error {
  const restored = restore(failure)
  if (restored) return restored
  return transientCodes.includes(failure.code) ? unavailable(failure) : failure
}

function restore(failure: ServiceError): AppError | undefined {
  const details = detailsOf(failure)
  // A kind that only a newer build knows is treated by its status.
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
