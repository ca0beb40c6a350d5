import { CompiledQuery } from 'kysely'
import pRetry from 'p-retry'
import { type Database, platform } from '../database/index.js'
import type { Logger } from '../observability/index.js'
import type { Consumer } from './consumer-options.js'
import type { Running } from './transport.js'

/** A copy of what another service owns: filled from its snapshot, then kept by events. */
export interface Copy<Page = unknown> {
  readonly name: string
  /** Keeps the copy: subscribed before the copy is filled. */
  readonly consumer: Consumer
  /** The owner's whole state, page by page. */
  pages(): AsyncIterable<Page>
  /** Writes a page, in one transaction, over older revisions only (see `keepNewest`): events may already be newer. */
  store(page: Page): Promise<unknown>
  /** Makes every revision of the copy older than any of the owner's (see `forgetRevisions`). */
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
  /** Fills what is empty or stale, in the background, until it is done. Subscribe first: then no event falls between snapshot and subscription. */
  fill(): void
  /** Fills all of them anew, in the background. Resolves when this is noted: a process that dies does it when it starts again. */
  refill(): Promise<void>
}

const forever = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 10_000, randomize: true }

/** Keeps the copies of a service filled, one after the other, trying until their owner answers. */
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
 * Fills a copy that is empty or stale, trying until the owner answers.
 * @param signal ends the tries; the promise then rejects with its reason
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
 * Reads the owner's snapshot again: for a copy that missed events, got a new column, or believed a revision that its owner never gave. The
 * revisions are forgotten before the first page is read, so that each page overwrites what was there, and nothing that an event brings meanwhile.
 * What the snapshot does not have, its owner has lost. An owner that does not answer at all leaves the copy as it was; what fails later is repeated
 * when the service starts again.
 */
export async function resyncCopy(db: Database<unknown>, copy: Copy): Promise<void> {
  await firstPage(copy)
  const since = await noteStale(db, copy)
  await copy.forget()
  await storePages(copy)
  await db.write(platform, async () => {
    // Another one may have begun meanwhile, and have forgotten what was read here.
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

/** Notes that all pages are read. @returns false, without noting it, where the copy became stale again meanwhile */
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
