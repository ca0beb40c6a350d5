import { createHash } from 'node:crypto'
import { limited } from '@caseway/kit/errors'
import type { Logger } from '@caseway/kit/observability'
import pg from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Attempt, LoginFailures } from './login-failures.js'

const durationSeconds = 15 * 60

/** How many failures within 15 minutes are too many. */
const limits = { accountAtAddress: 10, account: 100, address: 100 }
type Limit = keyof typeof limits

/** The names of accounts are not kept, only their hashes. */
const keysOf = ({ audience, username, address }: Attempt): Record<Limit, string> => {
  const account = createHash('sha256').update(`${audience} ${username.toLowerCase()}`).digest('base64url')
  return { accountAtAddress: `${account} ${address}`, account, address }
}

/** Counts in PostgreSQL, so that the limits hold over all copies, with few connections of its own. */
export function postgresLoginFailures(url: string, log: Logger): LoginFailures & { close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 2000, statement_timeout: 5000 })
  pool.on('error', (err) => log.warn({ err }, 'a connection of the login limits was lost'))
  const names = Object.keys(limits) as Limit[]
  const limiters = Object.fromEntries(
    names.map((name) => [
      name,
      new RateLimiterPostgres({
        ...{ storeClient: pool, storeType: 'pool', tableName: 'login_failures', tableCreated: true, clearExpiredByTimeout: false },
        ...{ keyPrefix: name, points: limits[name], duration: durationSeconds },
      }),
    ]),
  ) as Record<Limit, RateLimiterPostgres>

  return {
    async check(attempt) {
      const keys = keysOf(attempt)
      const counts = await Promise.all(names.map((name) => limiters[name].get(keys[name])))
      const waits = counts.flatMap((count, index) => {
        const most = limits[names[index] as Limit]
        return count && count.consumedPoints >= most ? [count.msBeforeNext] : []
      })
      if (waits.length > 0) throw limited(Math.max(1, Math.ceil(Math.max(...waits) / 1000)))
    },

    async note(attempt) {
      const keys = keysOf(attempt)
      await Promise.all(names.map((name) => limiters[name].penalty(keys[name])))
    },

    async clear(attempt) {
      await limiters.accountAtAddress.delete(keysOf(attempt).accountAtAddress)
    },

    close: () => pool.end(),
  }
}
