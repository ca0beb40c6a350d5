import type { Client, Employee, Id } from '@caseway/kit/caller'
import { forbidden, invalid, nonexistent, notFound, requireVersion } from '@caseway/kit/errors'
import { fileBusy } from '../errors.js'
import type { ObjectKey, ObjectOwners, ObjectsOfName } from './common-file-object.js'
import type { CommonFileObjectRepository } from './common-file-object.repository.js'
import type { NewFileObject } from './common-file-object.resource.js'

interface OfOffice {
  readonly customerId: Id
}

/** The part of the file repository that attaching needs. */
interface Files {
  find(caller: Employee, id: Id): Promise<OfOffice | null>
  /** Deletes a file with its links, if all of these are among `known`. @returns whether it was deleted */
  remove(caller: Employee, id: Id, known: readonly Id[], expected?: number): Promise<boolean>
  readonly own: { remove(client: Client, id: Id, known: readonly Id[], expected?: number): Promise<boolean> }
  readonly sent: { find(client: Client, id: Id): Promise<OfOffice | null> }
}

/** How often the deletion of a file is tried that is attached concurrently. */
const tries = 5

interface Parts {
  readonly links: CommonFileObjectRepository
  readonly files: Files
  readonly owners: ObjectOwners
}

/** Attachments of files. The service that owns an object decides who may change its attachments. */
export const commonFileObjectService = ({ links, files, owners }: Parts) => {
  /**
   * Looks up the object of a link. @returns the object, and a text for each id that the caller may not use. The object is null where its name, its
   * id or the office is unknown.
   */
  const look = async (
    caller: Employee | Client,
    file: OfOffice | null | undefined,
    customerId: Id | undefined,
    { objectName, objectId }: Partial<ObjectKey>,
  ) => {
    const isNamed = customerId !== undefined && objectName !== undefined && objectId !== undefined
    const object = isNamed ? await owners.mayLink(caller, customerId, { objectName, objectId }) : null
    const missing = [...(file === null ? ['common_file_id'] : []), ...(object === undefined ? ['object_id'] : [])]
    return { object, wrong: nonexistent(missing) }
  }

  /** The object of a link. @throws AppError `invalid` with a text for each id that the caller may not use */
  const required = async (...link: Parameters<typeof look>) => {
    const { object, wrong } = await look(...link)
    if (!object || Object.keys(wrong).length > 0) throw invalid(wrong)
    return object
  }

  /**
   * Whether the caller may detach files from an object: false where they do not see it. Anybody may detach files from a deleted object, because its
   * event will do so as well.
   * @throws AppError `forbidden`
   */
  const mayDetach = async (caller: Employee | Client, customerId: Id, { objectName, objectId }: ObjectKey): Promise<boolean> =>
    (await owners.mayLink(caller, customerId, { objectName, objectId })) !== undefined ||
    (await owners.some(customerId, { objectName, objectIds: [objectId] })).length === 0

  /**
   * The ids of the links of a file, which are deleted with it. Only a caller who may detach it from every object may delete it.
   * @throws AppError `forbidden`
   */
  const detachable = async (caller: Employee | Client, customerId: Id, fileId: Id): Promise<Id[]> => {
    const found = await links.ofFile(customerId, fileId)
    for (const object of found) if (!(await mayDetach(caller, customerId, object))) throw forbidden()
    return found.map(({ id }) => id)
  }

  /** Retries `attempt` until it returns true: false means that the file was attached since its links were read. @throws AppError FILE_BUSY */
  const untilDeleted = async (attempt: () => Promise<boolean>): Promise<void> => {
    for (let tried = 0; tried < tries; tried++) if (await attempt()) return
    throw fileBusy()
  }

  /** Asks the owner of objects whether they exist and who sees them, and stores the answer. */
  const refresh = async (customerId: Id, objects: ObjectsOfName): Promise<void> =>
    links.settle(customerId, objects, await owners.some(customerId, objects))

  return {
    get: links.get,

    async fieldErrors(caller: Employee, sent: Partial<NewFileObject>) {
      const file = sent.commonFileId === undefined ? undefined : await files.find(caller, sent.commonFileId)
      return (await look(caller, file, caller.customerId, sent)).wrong
    },

    /** Attaches a file. Idempotent: a second call returns the id of the same link. */
    async create(caller: Employee, input: NewFileObject): Promise<Id> {
      const file = await files.find(caller, input.commonFileId)
      return links.create(caller, input, await required(caller, file, caller.customerId, input))
    },

    async remove(caller: Employee, id: Id, expected?: number): Promise<void> {
      const link = await links.get(caller, id)
      requireVersion(link, expected)
      if (!(await mayDetach(caller, caller.customerId, link))) throw notFound()
      await links.remove(caller, link)
    },

    removeFile: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      untilDeleted(async () => files.remove(caller, id, await detachable(caller, caller.customerId, id), expected)),

    own: {
      get: links.own.get,

      async fieldErrors(client: Client, sent: Partial<NewFileObject>) {
        const file = sent.commonFileId === undefined ? undefined : await files.sent.find(client, sent.commonFileId)
        return (await look(client, file, file?.customerId, sent)).wrong
      },

      /** Clients may attach files that they have uploaded to objects that they have written. */
      async create(client: Client, input: NewFileObject): Promise<Id> {
        const file = await files.sent.find(client, input.commonFileId)
        const object = await required(client, file, file?.customerId, input)
        return links.createOwn(client, (file as OfOffice).customerId, input, object)
      },

      async remove(client: Client, id: Id, expected?: number): Promise<void> {
        const link = await links.own.get(client, id)
        requireVersion(link, expected)
        if (!(await files.sent.find(client, link.commonFileId))) throw forbidden()
        if (!(await owners.mayLink(client, link.customerId, link))) throw notFound()
        await links.removeOwn(client, link.customerId, link)
      },

      removeFile: (client: Client, id: Id, expected?: number): Promise<void> =>
        untilDeleted(async () => {
          const file = await files.sent.find(client, id)
          return files.own.remove(client, id, file ? await detachable(client, file.customerId, id) : [], expected)
        }),
    },

    refresh,
    pages: links.pages,
    forget: links.forget,

    async followCase(customerId: Id, issueId: Id): Promise<void> {
      for (const objects of await links.ofCase(customerId, issueId)) await refresh(customerId, objects)
    },

    async follow(customerId: Id, { objectName, objectIds }: ObjectsOfName): Promise<void> {
      const linked = await links.linked(customerId, { objectName, objectIds })
      if (linked.length > 0) await refresh(customerId, { objectName, objectIds: linked })
    },

    removeOf: (customerId: Id, objects: ObjectsOfName): Promise<void> => links.settle(customerId, objects, []),
  }
}
