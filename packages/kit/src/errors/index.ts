/** The kinds of errors, by what a caller can do about them. `httpStatus` and `grpcStatus` map each kind to a status. */
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
  /** For `invalid`: a text for each invalid field, by its name on the wire. */
  fields?: Record<string, string>
  /** Whole seconds after which the same request may succeed: for `limit`, `unavailable` and some conflicts. */
  retryAfterSeconds?: number
  cause?: unknown
}

/**
 * The error that callers see, over HTTP and gRPC. `code` is stable and for machines; `message` is for people and reveals no internals.
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

/** Invalid input: 400. @param fields a text for each invalid field, by its name on the wire */
export const invalid = (fields: Record<string, string>) =>
  new AppError('invalid', 'VALIDATION_FAILED', 'The request is not valid.', { fields })

/** `invalid` for fields that name records which the office does not have; the same for ids of other offices and for unknown ones. */
export const noSuchRecord = (...fields: string[]) => invalid(nonexistent(fields))

/** @throws AppError `noSuchRecord` of `fields`, unless there are none */
export function refuseMissing(fields: readonly string[]): void {
  if (fields.length > 0) throw noSuchRecord(...fields)
}

/** The text `does not exist` for each of `fields`. */
export const nonexistent = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 'does not exist']))

/** No token was sent: 401 without an OAuth error code (RFC 6750 3.1). */
export const tokenMissing = () => new AppError('unauthenticated', 'TOKEN_MISSING', 'An access token is required.')
/**
 * The token is malformed, expired, revoked, or for another address: 401 with `invalid_token` (RFC 6750 3.1). Only `cause`, which callers do not see, tells
 * which.
 */
export const tokenInvalid = (cause?: unknown) =>
  new AppError('unauthenticated', 'TOKEN_INVALID', 'The access token is not valid.', { cause })

/** The caller lacks a role or a right: 403. Must not be used where it would reveal that a record exists. */
export const forbidden = (message = 'You may not do this.') => new AppError('forbidden', 'FORBIDDEN', message)

/** The password has expired: 403 on all routes but those with `allowsExpiredPassword`. */
export const passwordExpired = () => new AppError('forbidden', 'PASSWORD_EXPIRED', 'The password must be changed first.')

/** The office demands a second factor, and the person has none: 403 on all routes but those with `allowsMissingSecondFactor`. */
export const secondFactorMissing = () => new AppError('forbidden', 'SECOND_FACTOR_MISSING', 'A second factor must be set up first.')

/** 404, with the same text for an id that does not exist and for one that the caller may not see. */
export const notFound = () => new AppError('not-found', 'NOT_FOUND', 'Not found.')

/** The result of `request`, or undefined where it rejects with an AppError `not-found`. */
export async function undefinedIfNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}

/**
 * The state of a record refuses the change: 409. @param code stable, for machines @param retryAfterSeconds where waiting may help: `Retry-After` (RFC 9110
 * 10.2.3)
 */
export const conflict = (code: string, message: string, retryAfterSeconds?: number) =>
  new AppError('conflict', code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })

/** `If-Match` names a version that is no longer the current one: 412 (RFC 9110 13.1.1). */
export const stale = () => new AppError('stale', 'STALE', 'The record has changed since it was read.')

/**
 * Compares the version of a record with that of `If-Match`.
 * @param record the current row, which should be locked
 * @param expected the version that `If-Match` names; undefined where any version will do
 * @throws AppError `stale` where they differ
 */
export function requireVersion({ version }: { readonly version: number }, expected: number | undefined): void {
  if (expected !== undefined && version !== expected) throw stale()
}

/** The request is larger than allowed: 413 (RFC 9110 15.5.14). */
export const tooLarge = (message = 'The request is too large.') => new AppError('too-large', 'TOO_LARGE', message)

/** Too many requests: 429 with `Retry-After` (RFC 6585 4). @param retryAfterSeconds whole seconds until the next try may succeed */
export const limited = (retryAfterSeconds: number) =>
  new AppError('limit', 'TOO_MANY_REQUESTS', 'Too many requests. Try again later.', { retryAfterSeconds })

/** A dependency does not answer: 503. The same call may be repeated. @param retryAfterSeconds whole seconds, for `Retry-After` */
export const unavailable = (cause?: unknown, retryAfterSeconds = 1) =>
  new AppError('unavailable', 'UNAVAILABLE', 'The service is temporarily unavailable.', { retryAfterSeconds, cause })

/** It is unknown whether the change was made: 503. Only a caller who can find out, or who sent an `Idempotency-Key`, may repeat it. */
export const outcomeUnknown = (cause?: unknown) =>
  new AppError('uncertain', 'OUTCOME_UNKNOWN', 'The change may or may not have been made. Check before you repeat it.', { cause })
