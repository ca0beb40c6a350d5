import type { Employee, Id } from '@caseway/kit/caller'
import { office, sql, visibleReads } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { folderHasChildren, folderParent, folderTooDeep, systemFolderFixed } from '../errors.js'
import type { BeginCount, EndCount } from '../folder-counts/folder-count.js'
import { systemFolders } from '../received-messages/target-folder.js'
import { maxDepth } from './mail-folder.js'
import { type MailFolderChanges, type MailFolderRecord, mailFolderResource, type NewMailFolder } from './mail-folder.resource.js'

/** Moves up to `limit` messages of a folder elsewhere, and returns their number. */
export type Emptied = (tx: Tx, customerId: Id, folderId: Id, limit: number) => Promise<number>

/** The number of messages that are moved in one transaction. */
const chunk = 500

interface Nesting {
  readonly above: number
  readonly below: number
  readonly cyclic: boolean
}

export interface Followers {
  readonly emptied: Emptied
  readonly enqueueEmptying: (tx: Tx, customerId: Id, folderId: Id) => Promise<void>
  readonly beginCount: BeginCount<Tx>
  readonly hideCount: EndCount<Tx>
  readonly endCount: EndCount<Tx>
}

export const mailFolderRepository = (db: Db, { emptied, enqueueEmptying, beginCount, hideCount, endCount }: Followers) => {
  const reads = visibleReads<typeof mailFolderResource, Employee>(
    db,
    mailFolderResource,
    (param) => sql<boolean>`(user_id IS NULL OR user_id = ${param(({ owner }) => owner.userId)})`,
  )

  /** Serialises changes of an office's folders: two concurrent ones could make a cycle. */
  const lockTree = (tx: Tx, customerId: Id) => tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('mail_folders', ${customerId}))`

  /**
   * `above` is the depth of the parent and `below` the number of levels of the folder, each itself included; `cyclic` says that the parent lies
   * within the folder.
   */
  const nesting = async (tx: Tx, parentId: Id, id: Id | null): Promise<Nesting> => {
    const [row] = await tx.$queryRaw<Nesting[]>`
      WITH RECURSIVE above (id, parent_id, level) AS (
        SELECT id, parent_id, 1 FROM mail_folders WHERE id = ${parentId}
        UNION ALL SELECT folder.id, folder.parent_id, level + 1 FROM mail_folders AS folder JOIN above ON folder.id = above.parent_id
      ), below (id, level) AS (
        SELECT ${id}::bigint, 1
        UNION ALL SELECT folder.id, level + 1 FROM mail_folders AS folder JOIN below ON folder.parent_id = below.id
      )
      SELECT (SELECT max(level) FROM above) AS above, (SELECT max(level) FROM below) AS below,
        coalesce(${id}::bigint IN (SELECT id FROM above), false) AS cyclic`
    return row as Nesting
  }

  /** The folder, if the caller sees it and it may contain others: a system folder may not. */
  const outer = async (caller: Employee, id: Id) => {
    const [folder] = await reads.some(caller, [id])
    return folder?.systemName === null ? folder : undefined
  }

  /** A folder and its parent have the same owner, so that whoever sees the folder sees the parent. @throws AppError `invalid` */
  const mustFit = async (tx: Tx, caller: Employee, parentId: Id, userId: Id | null, id: Id | null) => {
    const parent = await outer(caller, parentId)
    if (parent?.userId !== userId) throw folderParent()
    const { above, below, cyclic } = await nesting(tx, parentId, id)
    if (cyclic) throw folderParent()
    if (above + below > maxDepth) throw folderTooDeep(maxDepth)
  }

  const lockCustom = async (tx: Tx, caller: Employee, id: Id, expected?: number) => {
    const folder = (await reads.lock(tx, caller, id, expected)) as MailFolderRecord
    if (folder.systemName !== null) throw systemFolderFixed()
    return folder
  }

  const deleteEmpty = async (tx: Tx, customerId: Id, id: Id) => {
    await endCount(tx, customerId, id)
    await tx.mailFolder.delete({ where: { id, customerId } })
  }

  const isLarge = async (tx: Tx, customerId: Id, id: Id) => {
    const further = await tx.mailReceivedMessage.findMany({
      where: { customerId, mailFolderId: id },
      select: { id: true },
      skip: chunk,
      take: 1,
    })
    return further.length > 0
  }

  /** From now on nobody finds the folder, and no message is moved into it. Its count is kept, because its messages are still counted there. */
  const removeLarge = async (tx: Tx, customerId: Id, id: Id) => {
    await tx.mailFolder.update({ where: { id, customerId }, data: { removed: true, parentId: null } })
    await tx.mailFolderRule.deleteMany({ where: { mailFolderId: id, customerId } })
    await hideCount(tx, customerId, id)
    await enqueueEmptying(tx, customerId, id)
  }

  return {
    ...reads,

    /** Creates those system folders of an office that are missing. */
    async makeSystemFolders(customerId: Id): Promise<void> {
      await db.write(
        office(customerId),
        (tx) => tx.$executeRaw`
          INSERT INTO mail_folders (customer_id, name, is_global, system_name)
          SELECT ${customerId}, name, true, name FROM unnest(${[...systemFolders]}::text[]) WITH ORDINALITY AS folder (name, place) ORDER BY place
          ON CONFLICT (customer_id, system_name) DO NOTHING`,
      )
    },

    fieldErrors: async (caller: Employee, { parentId }: Partial<NewMailFolder>) =>
      parentId == null || (await outer(caller, parentId)) ? undefined : folderParent().fields,

    create: (caller: Employee, { parentId = null, isGlobal = false, name }: NewMailFolder): Promise<Id> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const userId = isGlobal ? null : caller.userId
        await lockTree(tx, customerId)
        if (parentId !== null) await mustFit(tx, caller, parentId, userId, null)
        const { id } = await tx.mailFolder.create({ data: { name, parentId, isGlobal, userId, customerId } })
        await beginCount(tx, customerId, { id, userId })
        return id
      }),

    change: (caller: Employee, id: Id, changes: MailFolderChanges, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await lockTree(tx, customerId)
        const { userId } = await lockCustom(tx, caller, id, expected)
        if (changes.parentId != null) await mustFit(tx, caller, changes.parentId, userId, id)
        await tx.mailFolder.update({ where: { id, customerId }, data: changes })
      }),

    /** Deletes a folder and the rules that sort into it. The messages of a large one are moved by a job, which deletes it at last. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await lockTree(tx, customerId)
        await lockCustom(tx, caller, id, expected)
        if ((await tx.mailFolder.count({ where: { parentId: id, customerId } })) > 0) throw folderHasChildren()
        if (await isLarge(tx, customerId, id)) return removeLarge(tx, customerId, id)
        await emptied(tx, customerId, id, chunk)
        await deleteEmpty(tx, customerId, id)
      }),

    /**
     * Moves a chunk of the messages of a removed folder, and deletes it with the last one.
     * @returns whether there may be more messages
     */
    emptyRemoved: (customerId: Id, id: Id): Promise<boolean> =>
      db.write(office(customerId), async (tx) => {
        const folders = await tx.$queryRaw`SELECT FROM mail_folders WHERE id = ${id} AND customer_id = ${customerId} AND removed FOR UPDATE`
        if ((folders as unknown[]).length === 0) return false
        if ((await emptied(tx, customerId, id, chunk)) === chunk) return true
        await deleteEmpty(tx, customerId, id)
        return false
      }),
  }
}

export type MailFolderRepository = ReturnType<typeof mailFolderRepository>
