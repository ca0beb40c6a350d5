import { invalid } from '@caseway/kit/errors'

/** An account has this address already, possibly at another office. */
export const emailTaken = () => invalid({ email: 'is already used' })

/** A change of client data has reserved the address for another person, or another address for this person. */
export const emailReserved = () => invalid({ email: 'is being changed at this moment: try again' })
