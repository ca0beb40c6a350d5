import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'
import type { Db, Tx } from '../database.js'
import { enqueueRescan, enqueueScan, type FileToScan } from './scan.job.js'

interface Payload {
  /** ISO 8601. */
  readonly since: string
}

/** How many scans are enqueued per transaction. */
const batch = 500

const job = defineJob<Payload>({ name: 'rescan', key: () => 'rescan' })

/** Enqueues a rescan of all files with a result that were uploaded since `since`. */
export const enqueueRescans = (tx: Tx, since: Date): Promise<void> => enqueue(tx, job, { since: since.toISOString() })

export interface PendingFiles {
  /** The files of an office without a result, in the order of their ids. */
  pendingOf(customerId: Id, after: Id, limit: number): Promise<readonly FileToScan[]>
}

/**
 * Enqueues scans of the files of an office without a result, such as imported ones.
 * @returns the number of files
 */
export async function enqueuePending(db: Db, files: PendingFiles, customerId: Id): Promise<number> {
  let enqueued = 0
  for (let found = await files.pendingOf(customerId, 0n, batch); found.length > 0; ) {
    await db.write(office(customerId), async (tx) => {
      for (const file of found) await enqueueScan(tx, file)
    })
    enqueued += found.length
    found = await files.pendingOf(customerId, found.at(-1)?.id ?? 0n, batch)
  }
  return enqueued
}

export interface FilesWithResult {
  /** The files with a result that were uploaded since `since`, in the order of their ids. */
  withResult(since: Date, after: Id, limit: number): Promise<readonly FileToScan[]>
}

export function rescanJob(files: FilesWithResult): JobHandler<unknown> {
  const rescan = async (run: Run<Payload>) => {
    const since = new Date(run.payload.since)
    for (let after = BigInt(String(run.cursor ?? 0)); ; ) {
      run.signal.throwIfAborted()
      const found = await files.withResult(since, after, batch)
      const last = found.at(-1)
      if (!last) return
      await run.checkpoint(String(last.id), async (tx) => {
        for (const file of found) await enqueueRescan(tx as Tx, file)
      })
      after = last.id
    }
  }
  return handleJob(job, rescan, { concurrency: 1 })
}
