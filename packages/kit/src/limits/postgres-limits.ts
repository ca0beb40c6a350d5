import pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { databaseConnection } from '../database-address/index.js'
import { limited, unavailable } from '../errors/index.js'
import type { Logger } from '../observability/index.js'
import { everyLimit, type Limit, type LimitRule } from './limit.js'

export interface Limits {
  limit(rule: LimitRule): Limit
  /** Closes the connections. */
  close(): Promise<void>
}

/**
 * Rate limits that are shared by all copies of a service, by rate-limiter-flexible. They are counted in the database of the service (`kit.rate_limit`), over up
 * to two connections outside of the pool. The purge of the kit deletes expired rows.
 * @param url the address of the service's database
 */
export function postgresLimits(url: string, log: Logger): Limits {
  // Requests do not wait for the disk. A crash of the database server may lose the latest counts.
  const options = '-c synchronous_commit=off'
  const pool = new pg.Pool({ ...databaseConnection(url), max: 2, connectionTimeoutMillis: 2000, statement_timeout: 5000, options })
  pool.on('error', (err) => log.warn({ err }, 'a connection for rate limits was lost'))
  const table = { schemaName: 'kit', tableName: 'rate_limit', tableCreated: true }

  return {
    limit({ name, points, seconds, refusedFromMemory = false }) {
      return limitOf(
        new RateLimiterPostgres({
          ...{ storeClient: pool, storeType: 'pool', ...table, keyPrefix: name, points, duration: seconds },
          // The library would delete all expired rows in one statement. The purge deletes them in chunks.
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

/** Converts rejections of the library: a RateLimiterRes (the key is over its limit) to AppError `limit`, and errors of the database to `unavailable`. */
const answered = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((reason: unknown) => {
    throw reason instanceof RateLimiterRes ? refusal(reason) : unavailable(reason)
  })

const refusal = ({ msBeforeNext }: RateLimiterRes) => limited(Math.max(1, Math.ceil(msBeforeNext / 1000)))
