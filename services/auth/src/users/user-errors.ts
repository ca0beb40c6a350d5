import { conflict, invalid } from '@caseway/kit/errors'

/** Of one's own record: whoever has a token and no password decides nothing about how the person signs in. */
export const changedAtMe = (...fields: string[]) =>
  invalid(Object.fromEntries(fields.map((field) => [field, 'is changed by PUT /rest/user/me, with current_password'])))

export const ownSecondFactor = () =>
  conflict('OWN_SECOND_FACTOR', 'The own second factor is removed by DELETE /rest/user/me/second_factor.')
