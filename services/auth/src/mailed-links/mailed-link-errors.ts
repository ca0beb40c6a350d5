import { invalid } from '@caseway/kit/errors'

/** One error for an unknown, expired or used link, and for one whose login has changed since, so that the answer does not tell them apart. */
export const invalidLink = () => invalid({ token: 'is not valid, has expired or was used already' })
