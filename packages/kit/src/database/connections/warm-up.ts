import pRetry from 'p-retry'
import type { Logger } from '../../observability/index.js'

interface Cold {
  /** Loads the engine of Prisma. */
  load(): Promise<unknown>
  /** Opens connections to the database. */
  connect(): Promise<unknown>
}

const tries = { retries: Number.POSITIVE_INFINITY, minTimeout: 100, maxTimeout: 1_000 }

/**
 * Loads the engine of Prisma and opens the first connections: together they may take longer than a request waits for a connection. When the database does
 * not answer for `timeoutMs` milliseconds, it logs a warning and resolves.
 */
export async function warmUp({ load, connect }: Cold, { timeoutMs, log }: { timeoutMs: number; log: Logger }): Promise<void> {
  await load()
  await pRetry(connect, { ...tries, maxRetryTime: timeoutMs }).catch((error) =>
    log.warn({ err: error }, 'the database does not answer: the service starts without it'),
  )
}
