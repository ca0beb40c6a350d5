import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db } from '../database.js'

/** A file record, as far as it is compared with the storage. */
export interface CountedFile {
  readonly id: Id
  readonly blobKey: string
  /** In bytes. */
  readonly size: number
}

export const storageUseRepository = (db: Db) => ({
  /** Files of an office, in the order of their ids. */
  filesOf: (customerId: Id, after: Id, limit: number): Promise<CountedFile[]> =>
    db.read(office(customerId)).commonFile.findMany({
      ...{ where: { customerId, id: { gt: after } }, orderBy: { id: 'asc' }, take: limit },
      select: { id: true, blobKey: true, size: true },
    }),

  resize: (customerId: Id, id: Id, size: number): Promise<unknown> =>
    db.write(office(customerId), (tx) => tx.commonFile.updateMany({ where: { id, customerId }, data: { size } })),

  /** Sets the stored bytes of the office to the sum of the sizes of its files. */
  recount: (customerId: Id): Promise<unknown> =>
    db.write(
      office(customerId),
      (tx) => tx.$executeRaw`
        INSERT INTO storage_use (customer_id, bytes)
        SELECT ${customerId}, coalesce(sum(size), 0) FROM common_files WHERE customer_id = ${customerId}
        ON CONFLICT (customer_id) DO UPDATE SET bytes = excluded.bytes`,
    ),
})

export type StorageUse = ReturnType<typeof storageUseRepository>
