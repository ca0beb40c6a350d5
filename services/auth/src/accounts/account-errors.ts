import { invalid } from '@caseway/kit/errors'

/** Somebody signs in with this address already, at whatever office. */
export const emailTaken = () => invalid({ email: 'is already used' })

/** The external platform is giving it to somebody, or is giving another one to this person. */
export const emailReserved = () => invalid({ email: 'is being changed at this moment: try again' })
