import { databaseConnection } from '@caseway/kit/database'
import { limited, unavailable } from '@caseway/kit/errors'
import type { Logger } from '@caseway/kit/observability'
import pg from 'pg'
import { type IRateLimiterPostgresOptions, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'

type LimitOptions = Pick<IRateLimiterPostgresOptions, 'tableName' | 'keyPrefix' | 'points' | 'duration' | 'inMemoryBlockOnConsumed'>

/** Makes limits that hold over all copies, because they count in PostgreSQL, with few connections of their own. */
export function postgresLimits(url: string, log: Logger) {
  // A count that a crash of the server loses costs nothing, and no request waits for the disk.
  const options = '-c synchronous_commit=off'
  const pool = new pg.Pool({ ...databaseConnection(url), max: 2, connectionTimeoutMillis: 2000, statement_timeout: 5000, options })
  pool.on('error', (err) => log.warn({ err }, 'a connection of the limits was lost'))
  return {
    limiter: (options: LimitOptions) =>
      // The purge deletes what has expired, in chunks: the library's own statement deletes all of it at once.
      new RateLimiterPostgres({ storeClient: pool, storeType: 'pool', tableCreated: true, clearExpiredByTimeout: false, ...options }),
    close: () => pool.end(),
  }
}

export type PostgresLimits = ReturnType<typeof postgresLimits>

/** Nobody gets past a limit that cannot be counted. @throws AppError `unavailable` */
export const answered = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    throw cause instanceof Error ? unavailable(cause) : cause
  })

/** The refusal until the last of `reached` is over. */
export function refusal(reached: readonly (RateLimiterRes | null)[]) {
  const waitMs = Math.max(0, ...reached.map((count) => count?.msBeforeNext ?? 0))
  return limited(Math.max(1, Math.ceil(waitMs / 1000)))
}
