import type { Id } from '@caseway/kit/caller'
import { office, platform } from '@caseway/kit/database'
import type { ScanResult, ScanStatus } from '../common-files/common-file.js'
import type { Db, Tx } from '../database.js'
import type { CommonFile } from '../generated/client.js'

const pending: ScanStatus = 'pending'

const withResult = (since: Date) => ({ virusScanStatus: { not: pending }, created: { gte: since } })

/** Publishes the state of a file. */
export type PublishFile = (tx: Tx, file: CommonFile) => Promise<void>

/** Files as the virus scans see them. */
export const scannedFileRepository = (db: Db, publish: PublishFile) => ({
  /** The file to scan; null where it was deleted. */
  toScan: (customerId: Id, id: Id) => db.read(office(customerId)).commonFile.findFirst({ where: { id, customerId } }),

  /** Stores the result of a scan, and publishes the file where it has changed. Does nothing where the file was deleted. */
  scanned: (customerId: Id, id: Id, { status, error, lost = false }: ScanResult): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const where = { id, customerId }
      const data = { virusScanStatus: status, virusScanError: error ?? null, fileNotExists: lost }
      if (await tx.commonFile.findFirst({ where: { ...where, ...data } })) return
      const { count } = await tx.commonFile.updateMany({ where, data })
      if (count > 0) await publish(tx, await tx.commonFile.findFirstOrThrow({ where }))
    }),

  /** The upload time of the oldest file that has not been scanned; null where all have been. */
  oldestPending: async (): Promise<Date | null> => {
    const { _min } = await db.read(platform).commonFile.aggregate({ _min: { created: true }, where: { virusScanStatus: pending } })
    return _min.created
  },

  /** Files of an office that have not been scanned, in the order of their ids. */
  pendingOf: (customerId: Id, after: Id, limit: number) =>
    db.read(office(customerId)).commonFile.findMany({
      ...{ where: { customerId, virusScanStatus: pending, id: { gt: after } }, orderBy: { id: 'asc' }, take: limit },
      select: { id: true, customerId: true },
    }),

  /** Files of all offices that were uploaded since a moment and have been scanned, in the order of their ids. */
  withResult: (since: Date, after: Id, limit: number) =>
    db.read(platform).commonFile.findMany({
      ...{ where: { ...withResult(since), id: { gt: after } }, orderBy: { id: 'asc' }, take: limit },
      select: { id: true, customerId: true },
    }),

  countWithResult: (since: Date): Promise<number> => db.read(platform).commonFile.count({ where: withResult(since) }),
})
