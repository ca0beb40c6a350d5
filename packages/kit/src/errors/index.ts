/** What a caller can do about an error; the edges map each kind to a status of HTTP and of gRPC. */
export const errorKinds = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not-found',
  'conflict',
  'stale',
  'too-large',
  'limit',
  'unavailable',
  'uncertain',
] as const
export type ErrorKind = (typeof errorKinds)[number]

interface Details {
  /** For `invalid`: a text for each wrong field, by its name on the wire. */
  fields?: Record<string, string>
  /** Whole seconds after which the same request may succeed: for `limit`, `unavailable` and some conflicts. */
  retryAfterSeconds?: number
  cause?: unknown
}

/**
 * The one error that crosses borders. `code` is stable and for machines, `message` is for people and shows nothing of the inside.
 */
export class AppError extends Error {
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    { fields, retryAfterSeconds, cause }: Details = {},
  ) {
    super(message, { cause })
    this.name = 'AppError'
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Wrong input: every wrong field at once, each with its text. */
export const invalid = (fields: Record<string, string>) =>
  new AppError('invalid', 'VALIDATION_FAILED', 'The request is not valid.', { fields })

/** Fields that name records which the caller's office does not have; the same for a foreign id and an unknown one. */
export const noSuchRecord = (...fields: string[]) => invalid(nonexistent(fields))

/** @throws AppError `noSuchRecord` of these fields, when there are any */
export function refuseMissing(fields: readonly string[]): void {
  if (fields.length > 0) throw noSuchRecord(...fields)
}

/** The text for each field that names no record of the office. */
export const nonexistent = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 'does not exist']))

/** No token was sent: 401 without an OAuth error code (RFC 6750 3.1). */
export const tokenMissing = () => new AppError('unauthenticated', 'TOKEN_MISSING', 'An access token is required.')
/** The token is malformed, expired, revoked or for another address: 401 with `invalid_token` (RFC 6750 3.1). Only the `cause` says which. */
export const tokenInvalid = (cause?: unknown) =>
  new AppError('unauthenticated', 'TOKEN_INVALID', 'The access token is not valid.', { cause })

/** A role or a right is lacking. Tells nothing about ids. */
export const forbidden = (message = 'You may not do this.') => new AppError('forbidden', 'FORBIDDEN', message)

/** The password has expired: the token is accepted only where a new one is set. */
export const passwordExpired = () => new AppError('forbidden', 'PASSWORD_EXPIRED', 'The password must be changed first.')

/** The office demands a second factor, and the person has none: the token is accepted only where one is set up. */
export const secondFactorMissing = () => new AppError('forbidden', 'SECOND_FACTOR_MISSING', 'A second factor must be set up first.')

/** 404, with the same text for an id that does not exist and for one that the caller may not see. */
export const notFound = () => new AppError('not-found', 'NOT_FOUND', 'Not found.')

/** The result of `asked`, or undefined where it rejects with an AppError `not-found`. */
export async function undefinedIfNotFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}

/** The state of a record refuses the change: 409. @param code stable, for machines @param retryAfterSeconds where waiting may help: `Retry-After` (RFC 9110 10.2.3) */
export const conflict = (code: string, message: string, retryAfterSeconds?: number) =>
  new AppError('conflict', code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })

/** `If-Match` names a version that is no longer the current one. */
export const stale = () => new AppError('stale', 'STALE', 'The record has changed since it was read.')

/**
 * @param record as it is now, best locked
 * @param expected what `If-Match` names; undefined where any version will do
 * @throws AppError `stale` where it is another one
 */
export function requireVersion({ version }: { readonly version: number }, expected: number | undefined): void {
  if (expected !== undefined && version !== expected) throw stale()
}

/** More bytes than are taken: 413 (RFC 9110 15.5.14). */
export const tooLarge = (message = 'The request is too large.') => new AppError('too-large', 'TOO_LARGE', message)

/** Too often: 429 with `Retry-After` (RFC 6585 4). @param retryAfterSeconds whole seconds until the next try may succeed */
export const limited = (retryAfterSeconds: number) =>
  new AppError('limit', 'TOO_MANY_REQUESTS', 'Too many requests. Try again later.', { retryAfterSeconds })

/** Not now, but the same call may be repeated. */
export const unavailable = (cause?: unknown, retryAfterSeconds = 1) =>
  new AppError('unavailable', 'UNAVAILABLE', 'The service is temporarily unavailable.', { retryAfterSeconds, cause })

/** Nobody knows whether the change was made. Only a caller who can find out, or who sent an Idempotency-Key, may repeat it. */
export const outcomeUnknown = (cause?: unknown) =>
  new AppError('uncertain', 'OUTCOME_UNKNOWN', 'The change may or may not have been made. Check before you repeat it.', { cause })
