import type { Client, Employee, Id } from '@caseway/kit/caller'
import { forgetRevisions, office, type ParamOf, platform, prepared, resourceReads, sql } from '@caseway/kit/database'
import { noSuchRecord, notFound } from '@caseway/kit/errors'
import type { LinkableObject } from '@caseway/kit/objects'
import type { Links } from '@caseway/people'
import type { ScanStatus } from '../common-files/common-file.js'
import type { Db, Tx } from '../database.js'
import type { CommonFile, PrismaClient } from '../generated/client.js'
import type { ObjectKey, ObjectName, ObjectsOfName } from './common-file-object.js'
import {
  attachedFileResource,
  clientAttachedFileResource,
  clientFileObjectResource,
  commonFileObjectResource,
  type NewFileObject,
} from './common-file-object.resource.js'
import { enqueueLinkRefresh } from './link-refresh.job.js'

/** The part of the file repository that links need. */
interface Files {
  /** Locks a file of the office; false where there is none. */
  lock(tx: Tx, customerId: Id, id: Id): Promise<boolean>
  /** Advances the revision of a locked file, and publishes it with its links. */
  republish(tx: Tx, customerId: Id, id: Id): Promise<void>
}

interface LinkOfFile {
  readonly id: Id
  readonly commonFileId: Id
}

interface Parts {
  readonly files: Files
  readonly clients: Pick<Links<PrismaClient>, 'writeAs'>
}

const linkedOf = prepared(
  (param: ParamOf<{ readonly customerId: Id } & ObjectsOfName>) => sql<{ objectId: Id }>`
    SELECT DISTINCT object_id AS "objectId" FROM common_file_objects
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND object_name = ${param(({ objectName }) => objectName)}
      AND object_id = ANY (${param(({ objectIds }) => objectIds)}::bigint[])`,
)

export const commonFileObjectRepository = (db: Db, { files, clients }: Parts) => {
  const commonFile = async (caller: Employee | Client, ids: readonly Id[]) => {
    const seen = caller.role === 'client' ? { links: { some: { userClientId: caller.userId } } } : { customerId: caller.customerId }
    return rowsOf(await db.read(caller).commonFile.findMany({ where: { id: { in: [...ids] }, ...seen } }))
  }

  const insert = async (tx: Tx, customerId: Id, { commonFileId, objectName, objectId }: NewFileObject, object: LinkableObject) => {
    // The lock serializes all changes of the links of a file.
    if (!(await files.lock(tx, customerId, commonFileId))) throw noSuchRecord('common_file_id')
    const key = { customerId, commonFileId, objectName, objectId }
    const present = await tx.commonFileObject.findFirst({ where: key, select: { id: true } })
    if (present) return present.id
    const { userClientId, issueId, version } = object
    const { id } = await tx.commonFileObject.create({ data: { ...key, userClientId, issueId, objectRevision: version } })
    await files.republish(tx, customerId, commonFileId)
    await enqueueLinkRefresh(tx, customerId, { objectName, objectId })
    return id
  }

  /** Deletes a link. Every transaction locks the file before its links. @returns whether the link existed */
  const drop = async (tx: Tx, customerId: Id, { id, commonFileId }: LinkOfFile): Promise<boolean> => {
    if (!(await files.lock(tx, customerId, commonFileId))) return false
    const { count } = await tx.commonFileObject.deleteMany({ where: { id, customerId } })
    if (count > 0) await files.republish(tx, customerId, commonFileId)
    return count > 0
  }
  const remove = async (tx: Tx, customerId: Id, link: LinkOfFile) => {
    if (!(await drop(tx, customerId, link))) throw notFound()
  }

  return {
    ...resourceReads(db, commonFileObjectResource),
    own: resourceReads(db, clientFileObjectResource),
    attached: resourceReads(db, attachedFileResource, { commonFile }),
    attachedOwn: resourceReads(db, clientAttachedFileResource, { commonFile }),

    create: (caller: Employee, link: NewFileObject, object: LinkableObject): Promise<Id> =>
      db.write(caller, (tx) => insert(tx, caller.customerId, link, object)),

    createOwn: (client: Client, customerId: Id, link: NewFileObject, object: LinkableObject): Promise<Id> =>
      clients.writeAs(client, customerId, (tx) => insert(tx, customerId, link, object)),

    remove: (caller: Employee, link: LinkOfFile): Promise<void> => db.write(caller, (tx) => remove(tx, caller.customerId, link)),

    removeOwn: (client: Client, customerId: Id, link: LinkOfFile): Promise<void> =>
      clients.writeAs(client, customerId, (tx) => remove(tx, customerId, link)),

    /** The objects to which a file is attached, each with the id of the link. */
    async ofFile(customerId: Id, commonFileId: Id): Promise<(ObjectKey & { readonly id: Id })[]> {
      const links = await db.read(office(customerId)).commonFileObject.findMany({ where: { customerId, commonFileId } })
      return links.map(({ id, objectName, objectId }) => ({ id, objectName: objectName as ObjectName, objectId }))
    },

    /** The objects of a case that have attached files. */
    async ofCase(customerId: Id, issueId: Id): Promise<ObjectsOfName[]> {
      const links = await db.read(office(customerId)).commonFileObject.findMany({ where: { customerId, issueId } })
      return [...Map.groupBy(links, ({ objectName }) => objectName).values()].map(ofName)
    },

    /** The ids of those objects that have attached files. */
    async linked(customerId: Id, { objectName, objectIds }: ObjectsOfName): Promise<Id[]> {
      if (objectIds.length === 0) return []
      const links = await db.query(office(customerId), linkedOf({ customerId, objectName, objectIds }))
      return links.map(({ objectId }) => objectId)
    },

    /** Yields all objects that have attached files, in the order of their links. */
    async *pages() {
      for (let after = 0n; ; ) {
        const where = { id: { gt: after } }
        const links = await db.read(platform).commonFileObject.findMany({ where, orderBy: { id: 'asc' }, take: pageSize })
        const last = links.at(-1)
        if (!last) return
        const groups = Map.groupBy(links, ({ customerId, objectName }) => `${customerId} ${objectName}`)
        yield [...groups.values()].map((same) => ({ customerId: (same[0] ?? last).customerId, objects: ofName(same) }))
        after = last.id
      }
    },

    /** Forgets the revisions, so that the next answers of the owners are stored: an owner whose database was restored assigns revisions again. */
    forget: () => forgetRevisions(db, 'common_file_objects', { column: 'object_revision' }),

    /**
     * Stores the answer of an owner about objects: who sees them, unless a newer revision is known. Links of objects that it does not contain are
     * deleted: ids are never reused.
     */
    settle: (customerId: Id, { objectName, objectIds }: ObjectsOfName, objects: readonly LinkableObject[]): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        const present = new Set(objects.map(({ id }) => id))
        const missing = objectIds.filter((id) => !present.has(id))
        const where = { customerId, objectName, objectId: { in: missing } }
        const links = await tx.commonFileObject.findMany({ where, orderBy: [{ commonFileId: 'asc' }, { id: 'asc' }] })
        for (const link of links) await drop(tx, customerId, link)
        for (const object of objects) await copyViewers(tx, customerId, objectName, object)
      }),
  }
}

const pageSize = 500

/** The distinct objects of links to objects of one name. */
const ofName = (links: readonly { readonly objectName: string; readonly objectId: Id }[]): ObjectsOfName => ({
  objectName: links[0]?.objectName as ObjectName,
  objectIds: [...new Set(links.map(({ objectId }) => objectId))],
})

async function copyViewers(tx: Tx, customerId: Id, objectName: ObjectName, { id, userClientId, issueId, version }: LinkableObject) {
  await tx.commonFileObject.updateMany({
    where: { customerId, objectName, objectId: id, objectRevision: { lt: version } },
    data: { userClientId, issueId, objectRevision: version },
  })
}

/** Narrows the types of columns of text, in which only these values are stored. */
const rowsOf = (files: readonly CommonFile[]) =>
  files as readonly (CommonFile & { virusScanStatus: ScanStatus; compression: 'none'; type: 'normal' })[]

export type CommonFileObjectRepository = ReturnType<typeof commonFileObjectRepository>
