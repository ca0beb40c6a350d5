import { storageUnavailable } from '../errors.js'

/** Whatever fails in `work` is the storage. */
export const stored = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw storageUnavailable(error)
  })
