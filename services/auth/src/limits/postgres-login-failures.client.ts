import { createHash } from 'node:crypto'
import type { RateLimiterPostgres } from 'rate-limiter-flexible'
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

export function postgresLoginFailures({ limiter }: PostgresLimits): LoginFailures {
  const names = Object.keys(limits) as Limit[]
  const counted = (name: Limit) => ({ keyPrefix: name, points: limits[name], clearExpiredByTimeout: name === 'account' })
  const limiters = Object.fromEntries(
    names.map((name) => [name, limiter({ tableName: 'login_failures', duration: durationSeconds, ...counted(name) })]),
  ) as Record<Limit, RateLimiterPostgres>

  return {
    async check(attempt) {
      const keys = keysOf(attempt)
      const counts = await answered(Promise.all(names.map((name) => limiters[name].get(keys[name]))))
      const reached = counts.filter((count, index) => count && count.consumedPoints >= limits[names[index] as Limit])
      if (reached.length > 0) throw refusal(reached)
    },

    async note(attempt) {
      const keys = keysOf(attempt)
      // In this order: whoever goes on trying at one address does not lock the account out of all others.
      for (const name of names) {
        const count = await answered(limiters[name].penalty(keys[name]))
        if (count.consumedPoints > limits[name]) throw refusal([count])
      }
    },

    async clear(attempt) {
      await answered(limiters.accountAtAddress.delete(keysOf(attempt).accountAtAddress))
    },
  }
}
