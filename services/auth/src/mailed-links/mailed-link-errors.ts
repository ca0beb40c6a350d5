import { invalid } from '@caseway/kit/errors'

/** One text for a link that never was, has expired, was used, or is about a login that has changed since. */
export const linkNotGood = () => invalid({ token: 'is not valid, has expired or was used already' })
