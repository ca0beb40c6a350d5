import { unavailable } from '../errors/index.js'

/** AppError `unavailable`: the storage does not answer, is full, or refuses the request. */
export const storageUnavailable = (cause: unknown) => unavailable(cause)

/** Waits for `work`, which only uses the storage: every rejection of it becomes `storageUnavailable`. */
export const stored = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw storageUnavailable(error)
  })
