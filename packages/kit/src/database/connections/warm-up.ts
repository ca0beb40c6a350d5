import pRetry from 'p-retry'
import type { Logger } from '../../observability/index.js'

interface Cold {
  /** Loads what is loaded once. */
  load(): Promise<unknown>
  /** Opens connections to the database. */
  connect(): Promise<unknown>
}

const tries = { retries: Number.POSITIVE_INFINITY, minTimeout: 100, maxTimeout: 1_000 }

/**
 * Loads the engine of Prisma and opens the first connections, so that no request pays for them: both together may take longer than a request
 * waits for a connection. Where the database does not answer in time the service starts without it.
 */
export async function warmUp({ load, connect }: Cold, { timeoutMs, log }: { timeoutMs: number; log: Logger }): Promise<void> {
  await load()
  await pRetry(connect, { ...tries, maxRetryTime: timeoutMs }).catch((error) =>
    log.warn({ err: error }, 'the database does not answer: the service starts without it'),
  )
}
