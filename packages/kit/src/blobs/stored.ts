import { unavailable } from '../errors/index.js'

/** The storage does not answer, is full, or refuses. What was written of a blob is gone. */
export const storageUnavailable = (cause: unknown) => unavailable(cause)

/** Whatever fails in `work` is the storage. */
export const stored = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw storageUnavailable(error)
  })
