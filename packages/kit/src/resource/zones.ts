import { LRUCache } from 'lru-cache'
import type { Id } from '../caller/index.js'

/** Where the time zones of the offices are known. */
export interface TimeZones {
  of(customerId: Id): Promise<string>
  /** For callers who belong to no office. `Europe/Warsaw` by default. */
  readonly fallback?: string
}

/** The zone of an office; synchronous when it was asked for lately. */
export type Zones = (customerId: Id | null | undefined) => string | Promise<string>

const cacheMs = 5_000

/**
 * Remembers zones for some seconds, and the last known one for as long as its source is down.
 * @throws what `of` throws, for an office whose zone was never known
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
