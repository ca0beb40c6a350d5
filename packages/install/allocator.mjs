/**
 * Variables for each service process, on a machine or in a container, which make glibc's malloc return memory (mallopt(3)). By default it keeps an
 * arena per thread, and up to 64 MiB of freed memory, which a service that hashed a few passwords would never return.
 */
export const allocatorVariables = () => ({ MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' })
