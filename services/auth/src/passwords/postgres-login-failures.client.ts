import { createHash } from 'node:crypto'
import { limited, unavailable } from '@caseway/kit/errors'
import type { Counter, Logger } from '@caseway/kit/observability'
import pg from 'pg'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
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

/** Nobody signs in while failures cannot be counted. @throws AppError `unavailable` */
const answered = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    throw unavailable(cause)
  })

/** Counts in PostgreSQL, so that the limits hold over all copies, with few connections of its own. */
export function postgresLoginFailures(
  url: string,
  log: Logger,
  refusals: Pick<Counter, 'inc'>,
): LoginFailures & { close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 2000, statement_timeout: 5000 })
  pool.on('error', (err) => log.warn({ err }, 'a connection of the login limits was lost'))
  const names = Object.keys(limits) as Limit[]
  const limiters = Object.fromEntries(
    names.map((name) => [
      name,
      new RateLimiterPostgres({
        ...{
          storeClient: pool,
          storeType: 'pool',
          tableName: 'login_failures',
          tableCreated: true,
          clearExpiredByTimeout: name === 'account',
        },
        ...{ keyPrefix: name, points: limits[name], duration: durationSeconds },
      }),
    ]),
  ) as Record<Limit, RateLimiterPostgres>

  /** @throws AppError `limit` until the last of `reached` is over */
  const refuse = (reached: readonly (RateLimiterRes | null)[]): void => {
    if (reached.length === 0) return
    refusals.inc()
    const waitMs = Math.max(0, ...reached.map((count) => count?.msBeforeNext ?? 0))
    throw limited(Math.max(1, Math.ceil(waitMs / 1000)))
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

    close: () => pool.end(),
  }
}
