import type pg from 'pg'
import { hasUnpublished } from './outbox-rows.js'

export interface LowWatermarkOptions {
  /** Pause between two looks, in milliseconds. Default 1,000. */
  everyMs?: number
  /** The interval at which one read starts from the first row of the table, in milliseconds. Default 60,000. */
  wholeEveryMs?: number
}

/**
 * The id from which the outbox has to be read. A relay must not read "id greater than the last", because transactions do not commit in the order of their
 * ids. Reading the whole table each time would scan the index entries of all deleted events, which no vacuum can remove while an old snapshot is open.
 *
 * An id is below the low watermark when every transaction that was running as it was published has ended (its xid is below the xmin of a later
 * snapshot; a snapshot that is only read, like that of a backup, has no xid and holds nothing back) and nothing below it is left. A
 * transaction takes its id an instant before its xid, so that this alone is no proof: every minute one read begins at the beginning.
 */
export function createLowWatermark({ everyMs = 1000, wholeEveryMs = 60_000 }: LowWatermarkOptions = {}) {
  let from = 0n
  let highest = 0n
  let candidate: { id: bigint; xmax: bigint } | undefined
  let lookedAt = Date.now()
  let wholeAt = Date.now()

  return {
    /** Where the next read begins. */
    next(): bigint {
      if (Date.now() - wholeAt < wholeEveryMs) return from
      wholeAt = Date.now()
      return 0n
    },

    published(id: bigint): void {
      if (id > highest) highest = id
    },

    /** Moves the watermark when it is time. */
    async look(connection: pg.ClientBase): Promise<void> {
      if (highest < from || Date.now() - lookedAt < everyMs) return
      lookedAt = Date.now()
      const { xmin, xmax } = await readSnapshot(connection)
      if (candidate && xmin < candidate.xmax) return
      if (candidate && !(await hasUnpublished(connection, from, candidate.id))) from = candidate.id + 1n
      candidate = { id: highest, xmax }
    },
  }
}

/** The oldest running transaction, and the next one. */
async function readSnapshot(connection: pg.ClientBase): Promise<{ xmin: bigint; xmax: bigint }> {
  const { rows } = await connection.query<{ xmin: string; xmax: string }>({
    name: 'kit_snapshot',
    text: 'SELECT pg_snapshot_xmin(now)::text AS xmin, pg_snapshot_xmax(now)::text AS xmax FROM pg_current_snapshot() AS now',
  })
  const [{ xmin, xmax } = { xmin: '0', xmax: '0' }] = rows
  return { xmin: BigInt(xmin), xmax: BigInt(xmax) }
}
