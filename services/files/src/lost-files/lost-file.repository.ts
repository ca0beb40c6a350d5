import type { Id } from '@caseway/kit/caller'
import { office, platform } from '@caseway/kit/database'
import type { ScanStatus } from '../common-files/common-file.js'
import type { Db, Tx } from '../database.js'
import type { CommonFile } from '../generated/client.js'
import type { LostFile, NoteLost, Selection, StoredFile } from './lost-file.js'

/** The result of the scan of a lost file, which is scanned again when its bytes are back. */
const failed: ScanStatus = 'failed'
const pending: ScanStatus = 'pending'

/** Functions that run in the transaction of a change. */
export interface Followers {
  /** Publishes the file. */
  readonly publish: (tx: Tx, file: CommonFile) => Promise<void>
  /** Enqueues the scan of a file whose bytes are back. */
  readonly scan: (tx: Tx, file: CommonFile) => Promise<void>
}

export const lostFileRepository = (db: Db, { publish, scan }: Followers) => ({
  /** Files of all offices with ids above `id`, in the order of their ids. */
  after: (id: Id, limit: number, { lostOnly }: Selection): Promise<StoredFile[]> =>
    db.read(platform).commonFile.findMany({
      ...{ where: { id: { gt: id }, ...(lostOnly && { fileNotExists: true }) }, orderBy: { id: 'asc' }, take: limit },
      select: { id: true, customerId: true, blobKey: true, size: true, fileNotExists: true },
    }),

  count: (): Promise<number> => db.read(platform).commonFile.count({ where: { fileNotExists: true } }),

  /** Lost files of all offices, the latest upload first. */
  lost: (limit: number): Promise<LostFile[]> =>
    db.read(platform).commonFile.findMany({
      ...{ where: { fileNotExists: true }, orderBy: { id: 'desc' }, take: limit },
      select: { id: true, customerId: true, name: true, blobKey: true },
    }),

  note: (({ id, customerId }, isLost) =>
    db.write(office(customerId), async (tx) => {
      const where = { id, customerId }
      const changed = await tx.commonFile.updateMany({ where: { ...where, fileNotExists: !isLost }, data: { fileNotExists: isLost } })
      if (changed.count === 0) return
      const again = { virusScanStatus: pending, virusScanError: null }
      const unscanned = isLost
        ? { count: 0 }
        : await tx.commonFile.updateMany({ where: { ...where, virusScanStatus: failed }, data: again })
      const file = await tx.commonFile.findFirstOrThrow({ where })
      if (unscanned.count > 0) await scan(tx, file)
      await publish(tx, file)
    })) satisfies NoteLost,
})
