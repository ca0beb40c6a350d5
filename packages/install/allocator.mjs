/**
 * The environment in which each service runs as a process of its own, wherever that is: how glibc's malloc gives memory back (mallopt(3)). By
 * default it keeps an arena for each of a dozen threads, and what was freed up to 64 MiB, which a service that hashed a few passwords holds for ever.
 */
export const allocatorVariables = () => ({ MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' })
