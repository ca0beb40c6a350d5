import { CompiledQuery } from 'kysely'
import pRetry from 'p-retry'
import { type Database, platform, type TransactionOf } from '../database/index.js'
import type { Logger } from '../observability/index.js'

/** A copy of what another service owns: filled from its snapshot, then kept by events. */
export interface Copy<Client, Page> {
  readonly name: string
  /** The owner's whole state, page by page. */
  pages(): AsyncIterable<Page>
  /** Writes a page over older revisions only (see `keepNewest`): events may already be newer. */
  store(tx: TransactionOf<Client>, page: Page): Promise<unknown>
}

const forever = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 10_000, randomize: true }

/**
 * Fills a copy unless it was filled before, trying until the owner answers. Subscribe first: then no event falls between the
 * snapshot and the subscription.
 * @param signal ends the tries; the promise then rejects with its reason
 */
export async function fillCopy<Client, Page>(
  db: Database<Client>,
  copy: Copy<Client, Page>,
  { log, signal }: { log: Logger; signal?: AbortSignal },
): Promise<void> {
  const fill = async () => {
    const filled = await db.query(platform, CompiledQuery.raw('SELECT 1 FROM kit.copy_state WHERE name = $1', [copy.name]))
    if (filled.length === 0) await resyncCopy(db, copy)
  }
  await pRetry(fill, {
    ...forever,
    signal,
    onFailedAttempt: ({ error }) => log.warn({ err: error, copy: copy.name }, 'a copy could not be filled'),
  })
}

/** Reads the owner's snapshot again: for a copy that missed events, or got a new column. */
export async function resyncCopy<Client, Page>(db: Database<Client>, copy: Copy<Client, Page>): Promise<void> {
  for await (const page of copy.pages()) await db.write(platform, (tx) => copy.store(tx, page))
  const statement = 'INSERT INTO kit.copy_state (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET filled = now()'
  await db.write(platform, () => db.query(platform, CompiledQuery.raw(statement, [copy.name])))
}
