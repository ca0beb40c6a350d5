import type { Client, Employee, Id } from '@caseway/kit/caller'
import { office, platform, resourceReads } from '@caseway/kit/database'
import { forbidden, notFound } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import type { Links } from '@caseway/people'
import { fileTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import { quotaExceeded } from '../errors.js'
import type { CommonFile, PrismaClient } from '../generated/client.js'
import { etagOf, type FileBytes, type ReceivedFile, type ScanStatus } from './common-file.js'
import { clientCommonFileResource, commonFileResource } from './common-file.resource.js'
import { deletedFileEvent, fileEvent } from './file-event.js'

/** Functions that run in the transaction of a change. */
export interface FileFollowers {
  /** Enqueues the scan of a new file. */
  readonly created: (tx: Tx, file: { readonly id: Id; readonly customerId: Id }) => Promise<void>
  /** Enqueues the removal of the bytes of a deleted file. */
  readonly removed: (tx: Tx, file: { readonly blobKey: string }) => Promise<void>
}

interface Storage {
  readonly links: Pick<Links<PrismaClient>, 'writeAs'>
  /** The quota of one office; 0 means no limit. */
  readonly quotaBytes: number
  readonly followers: FileFollowers
}

/** Publishes the state of a file with its links. */
async function publish(tx: Tx, file: CommonFile): Promise<void> {
  const where = { commonFileId: file.id, customerId: file.customerId }
  const links = await tx.commonFileObject.findMany({ where, orderBy: { id: 'asc' } })
  await outbox(tx, fileTopic, fileEvent(file, links))
}

export const commonFileRepository = (db: Db, { links, quotaBytes, followers }: Storage) => {
  const reads = resourceReads(db, commonFileResource)
  const own = resourceReads(db, clientCommonFileResource)
  /** The files that a client has uploaded. */
  const sent: typeof own = resourceReads(db, { ...clientCommonFileResource, table: 'common_files', ownedBy: 'user_client_id' })

  /** Adds to the stored bytes of an office. The lock of the row serializes its uploads. */
  const use = async (tx: Tx, customerId: Id, bytes: number) => {
    const [used] = await tx.$queryRaw<{ bytes: bigint }[]>`
      INSERT INTO storage_use AS used (customer_id, bytes) VALUES (${customerId}, ${bytes})
      ON CONFLICT (customer_id) DO UPDATE SET bytes = used.bytes + excluded.bytes RETURNING bytes`
    if (quotaBytes > 0 && bytes > 0 && Number(used?.bytes) > quotaBytes) throw quotaExceeded()
  }

  const insert = async (tx: Tx, customerId: Id, userClientId: Id | null, { name, mime, sizeBytes, sha256, blobKey }: ReceivedFile) => {
    const data = { customerId, userClientId, name, filename: name, mime, size: sizeBytes, sha256, blobKey }
    const file = await tx.commonFile.create({ data })
    await use(tx, customerId, sizeBytes)
    await publish(tx, file)
    await followers.created(tx, file)
    return file.id
  }

  /** Deletes a locked file, unless it has links other than `known`. @returns whether it was deleted */
  const drop = async (tx: Tx, { id, customerId }: Pick<CommonFile, 'id' | 'customerId'>, known: readonly Id[]): Promise<boolean> => {
    const added = await tx.commonFileObject.findFirst({ where: { commonFileId: id, customerId, id: { notIn: [...known] } } })
    if (added) return false
    const file = await tx.commonFile.delete({ where: { id, customerId } })
    await use(tx, customerId, -file.size)
    await outbox(tx, fileTopic, deletedFileEvent(file))
    await followers.removed(tx, file)
    return true
  }

  const bytesOf = (file: CommonFile | null): FileBytes => {
    if (!file) throw notFound()
    const { id, customerId, name, mime, blobKey, size: sizeBytes, fileNotExists: isLost } = file
    return { id, customerId, name, mime, blobKey, sizeBytes, etag: etagOf(file.sha256), status: file.virusScanStatus as ScanStatus, isLost }
  }

  return {
    ...reads,

    create: (caller: Employee, file: ReceivedFile): Promise<Id> => db.write(caller, (tx) => insert(tx, caller.customerId, null, file)),

    /** Deletes a file with its links, if all of these are among `known`. @returns whether it was deleted */
    remove: (caller: Employee, id: Id, known: readonly Id[], expected?: number): Promise<boolean> =>
      db.write(caller, async (tx) => {
        const { customerId } = await reads.lock(tx, caller, id, expected)
        return drop(tx, { id, customerId }, known)
      }),

    /** @throws AppError `not-found` */
    bytes: async ({ customerId }: Pick<Employee, 'customerId'>, id: Id): Promise<FileBytes> =>
      bytesOf(await db.read(office(customerId)).commonFile.findFirst({ where: { id, customerId } })),

    createOwn: (client: Client, customerId: Id, file: ReceivedFile): Promise<Id> =>
      links.writeAs(client, customerId, (tx) => insert(tx, customerId, client.userId, file)),

    own: {
      ...own,

      /** A client may delete only files that they have uploaded. @throws AppError `forbidden` for others that they see */
      async remove(client: Client, id: Id, known: readonly Id[], expected?: number): Promise<boolean> {
        await own.get(client, id)
        if (!(await sent.find(client, id))) throw forbidden()
        return db.write(client, async (tx) => {
          const { customerId } = await sent.lock(tx, client, id, expected)
          return links.writeAs(client, customerId, (tx) => drop(tx, { id, customerId }, known))
        })
      },

      /** @throws AppError `not-found` */
      bytes: async (client: Client, id: Id): Promise<FileBytes> =>
        bytesOf(await db.read(client).commonFile.findFirst({ where: { id, ...seenBy(client) } })),
    },
    sent,

    /** Publishes the state of a file with its links. */
    publish,

    /** Locks a file of the office until the transaction ends; false where there is none. */
    async lock(tx: Tx, customerId: Id, id: Id): Promise<boolean> {
      const found = await tx.$queryRaw<unknown[]>`SELECT FROM common_files WHERE id = ${id} AND customer_id = ${customerId} FOR UPDATE`
      return found.length > 0
    },

    /** Advances the revision of a file whose links have changed, and publishes it with them. */
    async republish(tx: Tx, customerId: Id, id: Id): Promise<void> {
      await publish(tx, await tx.commonFile.update({ where: { id, customerId }, data: { version: { increment: 1 } } }))
    },

    /** Whether any office has a file. */
    any: async (): Promise<boolean> => (await db.read(platform).commonFile.findFirst({ select: { id: true } })) !== null,

    /** Those of the blob keys that a record names. */
    known: async (blobKeys: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await db.read(platform).commonFile.findMany({ where: { blobKey: { in: [...blobKeys] } }, select: { blobKey: true } })
      return new Set(rows.map(({ blobKey }) => blobKey))
    },
  }
}

/** The files that a client has uploaded, and those that are attached to objects which they see. */
const seenBy = ({ userId }: Client) => ({ OR: [{ userClientId: userId }, { links: { some: { userClientId: userId } } }] })
