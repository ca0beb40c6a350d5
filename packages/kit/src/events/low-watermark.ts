import type pg from 'pg'
import { hasUnpublished } from './outbox-rows.js'

export interface LowWatermarkOptions {
  /** The shortest interval between two updates of the watermark, in milliseconds. Default 1,000. */
  everyMs?: number
  /** The interval at which one read starts from the first row of the table, in milliseconds. Default 60,000. */
  fullReadEveryMs?: number
}

/**
 * The id from which the outbox has to be read. A relay must not read "id greater than the last", because transactions do not commit in the order of the
 * ids of their events. Reading the whole table each time would scan the index entries of all deleted events, which vacuum cannot remove while an old
 * snapshot is open.
 *
 * The watermark moves past an id when every transaction that was running when its event was published has ended (the xmax of that time is at most the xmin
 * of a later snapshot; read-only transactions, like that of a backup, have no xid and do not count) and no unpublished event below it is left. This is no
 * proof, because a transaction may take the id of an event an instant before its xid: once a minute a read starts from the first row.
 */
export function createLowWatermark({ everyMs = 1000, fullReadEveryMs = 60_000 }: LowWatermarkOptions = {}) {
  let from = 0n
  let highest = 0n
  let candidate: { id: bigint; xmax: bigint } | undefined
  let lookedAt = Date.now()
  let fullReadAt = Date.now()

  return {
    /** The id from which the next read starts. */
    next(): bigint {
      if (Date.now() - fullReadAt < fullReadEveryMs) return from
      fullReadAt = Date.now()
      return 0n
    },

    published(id: bigint): void {
      if (id > highest) highest = id
    },

    /** Moves the watermark if possible, at most every `everyMs`. */
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

/** The xmin and the xmax of a new snapshot (PostgreSQL docs: `pg_snapshot`). */
async function readSnapshot(connection: pg.ClientBase): Promise<{ xmin: bigint; xmax: bigint }> {
  const { rows } = await connection.query<{ xmin: string; xmax: string }>({
    name: 'kit_snapshot',
    text: 'SELECT pg_snapshot_xmin(now)::text AS xmin, pg_snapshot_xmax(now)::text AS xmax FROM pg_current_snapshot() AS now',
  })
  const [{ xmin, xmax } = { xmin: '0', xmax: '0' }] = rows
  return { xmin: BigInt(xmin), xmax: BigInt(xmax) }
}
