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

/** The single sign-on system has changed nothing, and will not. */
export const ssoUnavailable = refusals.SSO_UNAVAILABLE

export const refusalOf = (code: RefusalCode): AppError => refusals[code]()

/** The code of an error by which a change is refused, undefined for any other. */
export function refusalCodeOf(error: unknown): RefusalCode | undefined {
  if (!(error instanceof AppError)) return undefined
  // What was reserved is gone with the client, whose last office was deleted.
  if (error.code === 'CHANGE_ENDED') return 'CLIENT_USER_NOT_FOUND'
  return Object.hasOwn(refusals, error.code) ? (error.code as RefusalCode) : undefined
}

/** One text for everything that is wrong in the body. */
export const notValid = (text: string): AppError => new AppError('invalid', 'VALIDATION_FAILED', text)
