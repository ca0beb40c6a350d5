import { LRUCache } from 'lru-cache'
import type { Id } from '../caller/index.js'

/** The source of the time zones of offices, as IANA names. */
export interface TimeZones {
  of(customerId: Id): Promise<string>
  /** The zone of callers without an office. Default `Europe/Warsaw`. */
  readonly fallback?: string
}

/** The time zone of an office, or the fallback without one. Synchronous where it is cached. */
export type Zones = (customerId: Id | null | undefined) => string | Promise<string>

const cacheMs = 5_000

/**
 * Caches time zones for 5 seconds; while `of` rejects, the last known zone stays in use. It rejects with the error of `of` for an office whose zone was never
 * known.
 */
export function cachedZones({ of, fallback = 'Europe/Warsaw' }: TimeZones): Zones {
  const cache = new LRUCache<Id, string>({
    max: 10_000,
    ttl: cacheMs,
    // The option `allowStaleOnFetchRejection` hides the error where there is no stale value.
    fetchMethod: (customerId, last) =>
      of(customerId).catch((error) => {
        if (last === undefined) throw error
        return last
      }),
    noDeleteOnStaleGet: true,
  })
  return (customerId) => {
    if (customerId === null || customerId === undefined) return fallback
    return cache.get(customerId) ?? cache.forceFetch(customerId)
  }
}
