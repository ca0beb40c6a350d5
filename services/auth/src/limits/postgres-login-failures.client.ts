import { createHash } from 'node:crypto'
import type { Counter } from '@caseway/kit/observability'
import type { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Attempt, LoginFailures } from './login-failures.js'
import { answered, type PostgresLimits, refusal } from './postgres-limits.client.js'

const durationSeconds = 15 * 60

/** How many failures within 15 minutes are too many. */
const limits = { accountAtAddress: 10, account: 100, address: 100 }
type Limit = keyof typeof limits

/** The names of accounts are not kept, only their hashes. */
const keysOf = ({ audience, username, address }: Attempt): Record<Limit, string> => {
  const account = createHash('sha256').update(`${audience} ${username.toLowerCase()}`).digest('base64url')
  return { accountAtAddress: `${account} ${address}`, account, address }
}

/** @param refusals counts those who come too often */
export function postgresLoginFailures({ limiter }: PostgresLimits, refusals: Pick<Counter, 'inc'>): LoginFailures {
  const names = Object.keys(limits) as Limit[]
  const counted = (name: Limit) => ({ keyPrefix: name, points: limits[name], clearExpiredByTimeout: name === 'account' })
  const limiters = Object.fromEntries(
    names.map((name) => [name, limiter({ tableName: 'login_failures', duration: durationSeconds, ...counted(name) })]),
  ) as Record<Limit, RateLimiterPostgres>

  const refuse = (reached: readonly (RateLimiterRes | null)[]): void => {
    if (reached.length === 0) return
    refusals.inc()
    throw refusal(reached)
  }

  return {
    async check(attempt) {
      const keys = keysOf(attempt)
      const counts = await answered(Promise.all(names.map((name) => limiters[name].get(keys[name]))))
      refuse(counts.filter((count, index) => count && count.consumedPoints >= limits[names[index] as Limit]))
    },

    async note(attempt) {
      const keys = keysOf(attempt)
      // In this order: whoever goes on trying at one address does not lock the account out of all others.
      for (const name of names) {
        const count = await answered(limiters[name].penalty(keys[name]))
        refuse(count.consumedPoints > limits[name] ? [count] : [])
      }
    },

    async clear(attempt) {
      await answered(limiters.accountAtAddress.delete(keysOf(attempt).accountAtAddress))
    },
  }
}
