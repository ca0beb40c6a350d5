import type { Client, Employee, Id } from '@caseway/kit/caller'
import { forbidden, invalid, nonexistent, notFound, requireVersion } from '@caseway/kit/errors'
import { fileBusy } from '../errors.js'
import type { ObjectKey, ObjectOwners, ObjectsOfName } from './common-file-object.js'
import type { CommonFileObjectRepository } from './common-file-object.repository.js'
import type { NewFileObject } from './common-file-object.resource.js'

interface OfOffice {
  readonly customerId: Id
}

/** The files that people attach. */
interface Files {
  find(caller: Employee, id: Id): Promise<OfOffice | null>
  /** Removes a file with its links, if these are among `known`. Says whether it has. */
  remove(caller: Employee, id: Id, known: readonly Id[], expected?: number): Promise<boolean>
  readonly own: { remove(client: Client, id: Id, known: readonly Id[], expected?: number): Promise<boolean> }
  readonly sent: { find(client: Client, id: Id): Promise<OfOffice | null> }
}

/** How often the deletion of a file that is attached meanwhile begins again. */
const tries = 5

interface Parts {
  readonly links: CommonFileObjectRepository
  readonly files: Files
  readonly owners: ObjectOwners
}

/** What files are attached to: whether a person may change that says the service that owns the object. */
export const commonFileObjectService = ({ links, files, owners }: Parts) => {
  /**
   * The object of a link, and a text for each id in it that is not of a record which the caller may name. Where its name, its id or the office is
   * not known, the object is null.
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

  /** @throws AppError `invalid` with every id that is not of a record that the caller may name */
  const required = async (...link: Parameters<typeof look>) => {
    const { object, wrong } = await look(...link)
    if (!object || Object.keys(wrong).length > 0) throw invalid(wrong)
    return object
  }

  /**
   * Whether the caller may take files away from an object: false where they do not see it. Of one that is gone everybody may: its event does so as
   * well.
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

  /** @param attempt says whether the file is deleted; not where it was attached since its links were read */
  const untilDeleted = async (attempt: () => Promise<boolean>): Promise<void> => {
    for (let tried = 0; tried < tries; tried++) if (await attempt()) return
    throw fileBusy()
  }

  /** Asks the owner who sees some objects, and whether there still are. */
  const refresh = async (customerId: Id, objects: ObjectsOfName): Promise<void> =>
    links.settle(customerId, objects, await owners.some(customerId, objects))

  return {
    get: links.get,

    async fieldErrors(caller: Employee, sent: Partial<NewFileObject>) {
      const file = sent.commonFileId === undefined ? undefined : await files.find(caller, sent.commonFileId)
      return (await look(caller, file, caller.customerId, sent)).wrong
    },

    /** Twice is not an error: there is one link, with one id. */
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

      /** Clients attach what they have sent to what they have said. */
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
