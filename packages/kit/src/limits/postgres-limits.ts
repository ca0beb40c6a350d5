import pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { databaseConnection } from '../database-address/index.js'
import { limited, unavailable } from '../errors/index.js'
import type { Logger } from '../observability/index.js'
import { everyLimit, type Limit, type LimitRule } from './limit.js'

export interface Limits {
  limit(rule: LimitRule): Limit
  /** Ends its connections. */
  close(): Promise<void>
}

/**
 * Limits that hold over all copies of a service: they count in its database (`kit.rate_limit`), by two connections of their own. The purge
 * of the kit deletes what has expired. By rate-limiter-flexible.
 * @param url of the service's database
 */
export function postgresLimits(url: string, log: Logger): Limits {
  // A crash of the server may lose the counts of its last moments; no request waits for the disk.
  const options = '-c synchronous_commit=off'
  const pool = new pg.Pool({ ...databaseConnection(url), max: 2, connectionTimeoutMillis: 2000, statement_timeout: 5000, options })
  pool.on('error', (err) => log.warn({ err }, 'a connection of the limits was lost'))
  const table = { schemaName: 'kit', tableName: 'rate_limit', tableCreated: true }

  return {
    limit({ name, points, seconds, refusedFromMemory = false }) {
      return limitOf(
        new RateLimiterPostgres({
          ...{ storeClient: pool, storeType: 'pool', ...table, keyPrefix: name, points, duration: seconds },
          // The library would delete all that has expired by one statement.
          clearExpiredByTimeout: false,
          ...(refusedFromMemory ? { inMemoryBlockOnConsumed: points + 1 } : {}),
        }),
      )
    },
    close: () => pool.end(),
  }
}

const limitOf = (limiter: RateLimiterPostgres): Limit => ({
  count: (keys) => everyLimit(keys.map(async (key) => void (await answered(limiter.consume(key))))),
  check: (keys) =>
    everyLimit(
      keys.map(async (key) => {
        const used = await answered(limiter.get(key))
        if (used && used.consumedPoints >= limiter.points) throw refusal(used)
      }),
    ),
  async clear(keys) {
    await answered(Promise.all(keys.map((key) => limiter.delete(key))))
  },
})

/** The answer of the library, which rejects with an error of the database or with what a refused key has used. */
const answered = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((reason: unknown) => {
    throw reason instanceof RateLimiterRes ? refusal(reason) : unavailable(reason)
  })

const refusal = ({ msBeforeNext }: RateLimiterRes) => limited(Math.max(1, Math.ceil(msBeforeNext / 1000)))
