import { LRUCache } from 'lru-cache'
import type { Employee, Id } from '../caller/index.js'
import type { HasRight } from '../http/index.js'

/** A right that was taken is gone everywhere within 5 seconds, the time of the question included. */
const rememberedMs = 4_000

/** Asks for the keys of the rights that an employee has at this moment. */
export type RightsOf = (customerId: Id, userId: Id) => Promise<readonly string[]>

/**
 * Says who has a right, for a service that does not keep rights itself: it asks `of`, and remembers the answer for 4 seconds.
 * @param now milliseconds of any clock
 * @throws what `of` throws: nobody has a right that is not known
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
 * Asks `of`. While it throws, the answer is the rights that the person had last: for decisions about what is shown, not about what may be changed.
 * @throws what `of` throws, for a person whose rights were never known
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
