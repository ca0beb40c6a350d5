import { conflict, invalid } from '@caseway/kit/errors'

/** The caller's own credentials cannot be changed with a token alone. */
export const changedAtMe = (...fields: string[]) =>
  invalid(Object.fromEntries(fields.map((field) => [field, 'is changed by PUT /rest/user/me, with current_password'])))

export const ownSecondFactor = () =>
  conflict('OWN_SECOND_FACTOR', 'The own second factor is removed by DELETE /rest/user/me/second_factor.')
