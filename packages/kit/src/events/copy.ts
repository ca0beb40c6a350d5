import { CompiledQuery } from 'kysely'
import pRetry from 'p-retry'
import { type Database, platform } from '../database/index.js'
import type { Logger } from '../observability/index.js'
import type { Consumer } from './consumer-options.js'
import type { Running } from './transport.js'

/** A copy of data that another service owns: it is filled from a snapshot of the owner, and kept up to date by its events. */
export interface Copy<Page = unknown> {
  readonly name: string
  /** Applies the owner's events to the copy. It must be subscribed before the copy is filled. */
  readonly consumer: Consumer
  /** The owner's snapshot, in pages. */
  pages(): AsyncIterable<Page>
  /** Writes a page in one transaction. It overwrites older revisions only (see `keepNewest`), because events may have written newer ones. */
  store(page: Page): Promise<unknown>
  /** Resets the revision of every row to one that is older than any of the owner's (see `forgetRevisions`). */
  forget(): Promise<unknown>
  /**
   * Called when all pages are stored: marks as ended the rows that `forget` has reset and no page has written, because their owner no longer has them. In one
   * transaction.
   */
  endForgotten?(): Promise<unknown>
}

export interface CopiesOptions {
  db: Database<unknown>
  copies: readonly Copy[]
  log: Logger
}

export interface Copies extends Running {
  /** Fills the copies that are empty or stale, in the background. Subscribe first, so that no event between snapshot and subscription is missed. */
  fill(): void
  /** Fills all copies again, in the background. Resolves when they are marked as stale in the database, so that `fill` does it after a crash. */
  refill(): Promise<void>
}

const forever = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 10_000, randomize: true }

/** Fills the copies of a service, one after the other, and retries until their owner answers. */
export function createCopies({ db, copies, log }: CopiesOptions): Copies {
  const stopping = new AbortController()
  const { signal } = stopping
  let working = Promise.resolve()
  const next = (work: (copy: Copy) => Promise<void>) => {
    const all = async () => {
      for (const copy of copies) await work(copy)
    }
    working = working.then(all).catch((err) => log.debug({ err }, 'stopped before the copies were filled'))
  }
  return {
    fill: () => next((copy) => fillCopy(db, copy, { log, signal })),
    async refill() {
      for (const copy of copies) await noteStale(db, copy)
      next((copy) => persistently(copy, () => resyncCopy(db, copy), { log, signal }))
    },
    stop() {
      stopping.abort(new Error('The copies were stopped.'))
      return working
    },
  }
}

/**
 * Fills a copy if it is empty or stale, and retries until the owner answers.
 * @param options.signal ends the retries: the promise then rejects with its reason
 */
export function fillCopy(db: Database<unknown>, copy: Copy, options: { log: Logger; signal?: AbortSignal }): Promise<void> {
  const fill = async () => {
    const statement = 'SELECT stale_since IS NOT NULL AS stale FROM kit.copy_state WHERE name = $1'
    const [state] = await db.query(platform, CompiledQuery.raw(statement, [copy.name]) as CompiledQuery<{ stale: boolean }>)
    if (!state) await readPages(db, copy)
    else if (state.stale) await resyncCopy(db, copy)
  }
  return persistently(copy, fill, options)
}

const persistently = (copy: { name: string }, work: () => Promise<void>, { log, signal }: { log: Logger; signal?: AbortSignal }) =>
  pRetry(work, {
    ...forever,
    signal,
    onFailedAttempt: ({ error }) => log.warn({ err: error, copy: copy.name }, 'a copy could not be filled'),
  })

/**
 * Reads the owner's snapshot again, for a copy that has missed events, got a new column, or stored a revision that its owner never assigned. All
 * revisions are reset before the snapshot is read, so that its pages overwrite the rows from before, but not those that events write meanwhile. Rows that
 * the snapshot does not contain are ended (`endForgotten`). When the owner does not answer, the copy is left unchanged; after a later failure it stays
 * stale, and is read again when the service starts.
 * @throws what `pages`, `store` or the database throws
 */
export async function resyncCopy(db: Database<unknown>, copy: Copy): Promise<void> {
  await firstPage(copy)
  const since = await noteStale(db, copy)
  await copy.forget()
  await storePages(copy)
  await db.write(platform, async () => {
    // Another resync may have begun meanwhile, and have reset the revisions of the pages that were stored here.
    if (await noteRead(db, copy, since)) await copy.endForgotten?.()
  })
}

async function storePages({ pages, store }: Copy): Promise<void> {
  for await (const page of pages()) await store(page)
}

async function readPages(db: Database<unknown>, copy: Copy): Promise<void> {
  await storePages(copy)
  await note(db, copy, 'NULL')
}

/** Marks the copy as filled. @returns false when another resync has marked it as stale meanwhile: then it stays stale */
async function noteRead(db: Database<unknown>, { name }: { name: string }, since: string | undefined): Promise<boolean> {
  const statement =
    'UPDATE kit.copy_state SET filled = now(), stale_since = NULL WHERE name = $1 AND stale_since = $2::timestamptz RETURNING 1'
  const noted = await db.query(platform, CompiledQuery.raw(statement, [name, since]))
  return noted.length > 0
}

async function firstPage({ pages }: Copy): Promise<void> {
  for await (const _ of pages()) return
}

const noteStale = (db: Database<unknown>, copy: { name: string }) => note(db, copy, 'now()')

/** @returns since when the copy is stale */
async function note(db: Database<unknown>, { name }: { name: string }, staleSince: 'now()' | 'NULL'): Promise<string | undefined> {
  const statement = `
    INSERT INTO kit.copy_state (name, stale_since) VALUES ($1, ${staleSince})
    ON CONFLICT (name) DO UPDATE SET filled = now(), stale_since = ${staleSince} RETURNING stale_since::text AS since`
  const query = CompiledQuery.raw(statement, [name]) as CompiledQuery<{ since: string | null }>
  const [noted] = await db.write(platform, () => db.query(platform, query))
  return noted?.since ?? undefined
}
