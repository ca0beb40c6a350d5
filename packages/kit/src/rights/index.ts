import { LRUCache } from 'lru-cache'
import type { Employee, Id } from '../caller/index.js'
import type { HasRight } from '../http/index.js'

/** A revoked right has no effect any more after 5 seconds: this and the duration of a call to auth. */
export const rememberedMs = 4_000

/** Returns the keys of the rights that an employee currently has. */
export type RightsOf = (customerId: Id, userId: Id) => Promise<readonly string[]>

/**
 * A `hasRight` for services other than auth: calls `of`, and caches its answer for 4 seconds. It fails closed: it rejects with the error of `of`.
 * @param now a monotonic clock in milliseconds
 */
export function rememberedRights(of: RightsOf, now: () => number = performance.now.bind(performance)): HasRight {
  const cache = new LRUCache<string, ReadonlySet<string>, Pick<Employee, 'customerId' | 'userId'>>({
    max: 10_000,
    ttl: rememberedMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _last, { context: { customerId, userId } }) => new Set(await of(customerId, userId)),
  })
  return async ({ customerId, userId }, right) => {
    const rights = await cache.forceFetch(`${customerId} ${userId}`, { context: { customerId, userId } })
    return rights.has(right)
  }
}

/**
 * Calls `of`, and while it rejects, returns the last known rights of the person. For decisions about what is shown, and not about what may be changed. It
 * rejects with the error of `of` for a person whose rights were never known.
 */
export function lastKnownRights(of: RightsOf): RightsOf {
  const known = new LRUCache<string, readonly string[]>({ max: 10_000 })
  return async (customerId, userId) => {
    const person = `${customerId} ${userId}`
    try {
      const rights = await of(customerId, userId)
      known.set(person, rights)
      return rights
    } catch (error) {
      const last = known.get(person)
      if (!last) throw error
      return last
    }
  }
}
