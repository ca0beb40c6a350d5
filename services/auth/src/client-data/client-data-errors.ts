import { AppError, conflict } from '@caseway/kit/errors'

/** No client has this id of the external platform, or every office has ended the link with them or banned them. */
export const clientUserNotFound = () => new AppError('not-found', 'CLIENT_USER_NOT_FOUND', 'There is no such client.')

/** An employee of some office has the address. */
export const emailTakenByUser = () => new AppError('forbidden', 'EMAIL_TAKEN_BY_USER', 'The e-mail address belongs to an employee.')

export const emailTakenByClient = () => new AppError('forbidden', 'EMAIL_TAKEN_BY_CLIENT', 'The e-mail address belongs to another client.')

/** Another reservation is pending; whether the address will be free is not known yet. */
export const addressIsReserved = () => conflict('ADDRESS_RESERVED', 'Another change has reserved the e-mail address.')

export const changeHasEnded = () => conflict('CHANGE_ENDED', 'The change has ended.')
