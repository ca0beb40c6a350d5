import { AppError } from '@caseway/kit/errors'
import type { RefusalCode } from './client-data.js'

const refusals = {
  CLIENT_USER_NOT_FOUND: () => new AppError('not-found', 'CLIENT_USER_NOT_FOUND', 'There is no such client.'),
  EMAIL_TAKEN_BY_USER: () => new AppError('forbidden', 'EMAIL_TAKEN_BY_USER', 'The e-mail address belongs to an employee.'),
  EMAIL_TAKEN_BY_CLIENT: () => new AppError('forbidden', 'EMAIL_TAKEN_BY_CLIENT', 'The e-mail address belongs to another client.'),
  SSO_UNAVAILABLE: (cause?: unknown) =>
    new AppError('unavailable', 'SSO_UNAVAILABLE', 'The single sign-on system is unavailable. Nothing was changed.', {
      retryAfterSeconds: 1,
      cause,
    }),
} satisfies Record<RefusalCode, (cause?: unknown) => AppError>

/** Another person has the address, here or in the single sign-on system. */
export const emailTakenByClient = refusals.EMAIL_TAKEN_BY_CLIENT

/** The single sign-on system is unavailable, and has changed nothing. */
export const ssoUnavailable = refusals.SSO_UNAVAILABLE

export const refusalOf = (code: RefusalCode): AppError => refusals[code]()

/** The change has not ended in time, and continues. A repeated request waits for its end, so an `Idempotency-Key` is released. */
export const changeContinues = () =>
  new AppError('unavailable', 'OUTCOME_UNKNOWN', 'The change has not ended yet, and continues. A repeated request waits for its end.', {
    retryAfterSeconds: 1,
  })

/** The code of an error that refuses a change; undefined for any other error. */
export function refusalCodeOf(error: unknown): RefusalCode | undefined {
  if (!(error instanceof AppError)) return undefined
  // The reservation was deleted together with the client, whose last office was deleted.
  if (error.code === 'CHANGE_ENDED') return 'CLIENT_USER_NOT_FOUND'
  return Object.hasOwn(refusals, error.code) ? (error.code as RefusalCode) : undefined
}

/** An invalid body. @param text all errors in one text */
export const notValid = (text: string): AppError => new AppError('invalid', 'VALIDATION_FAILED', text)
