import { invalid } from '@caseway/kit/errors'

/** Somebody signs in with this address already, at whatever office. */
export const emailTaken = () => invalid({ email: 'is already used' })
