import { erasedKey } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, type QueryOf, sql, visibleReads } from '@caseway/kit/database'
import { type AppError, notFound, stale } from '@caseway/kit/errors'
import { type LinkableObject, seenByEmployees } from '@caseway/kit/objects'
import type { PublishReceived } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import { type ChangeFolderCounts, deltasOf } from '../folder-counts/folder-count.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import type { Receiving } from './arrivals/arrived-message.js'
import type { MailReader } from './mail-reader.js'
import { type ListedMessage, listedMessageResource, receivedMessageResource } from './received-message.resource.js'
import type { SeenRepository } from './seen.repository.js'
import { personalFolders, sameFolder, type TargetFolder } from './target-folder.js'

/** The changes of messages; undefined leaves a property unchanged. */
export interface Written {
  readonly isRead?: boolean | undefined
  readonly tags?: string | undefined
  readonly folder?: TargetFolder | undefined
  /** The case to link them to; null unlinks them. */
  readonly issueId?: Id | null | undefined
}

/** Decides the changes while the messages are locked. */
export type Decide = (messages: readonly ListedMessage[]) => Written | Promise<Written>

/** Runs before the messages are locked: a folder is locked before its messages, as when it is deleted. */
export type Begin = (tx: Tx) => Decide | Promise<Decide>

interface Parts {
  readonly toSet: SeenRepository['toSet']
  readonly receiving: Receiving
  readonly publishReceived: PublishReceived<Tx>
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  readonly cases: Pick<LinkedCases, 'link'>
}

interface Options {
  /** The expected version; for a single message. */
  readonly expected?: number | undefined
  /** The error where the reader does not see one of the messages. */
  readonly missing?: () => AppError
}

const folderOf = ({ folderName: system, mailFolderId: custom }: ListedMessage) => ({ system, custom }) as TargetFolder

/**
 * SQL: a reader sees messages in the folders of the office that their rights allow, in their own folders, and in custom folders of their own or of
 * the office.
 */
const visible = (param: ParamOf<QueryOf<MailReader>>) => sql<boolean>`(
  folder_name = ANY (${param(({ owner }) => owner.officeFolders)}::text[])
  OR ${param(({ owner }) => owner.personal)}::boolean AND (
    folder_name = ANY (${param(() => personalFolders)}::text[]) AND user_id = ${param(({ owner }) => owner.userId)}
    OR mail_folder_id IN (
      SELECT folder.id FROM mail_folders AS folder WHERE folder.customer_id = ${param(({ owner }) => owner.customerId)}
        AND (folder.user_id IS NULL OR folder.user_id = ${param(({ owner }) => owner.userId)}))))`

interface Gone extends QueryOf<MailReader> {
  readonly ids: readonly Id[]
}

/**
 * SQL: messages that the reader has lost: removed for good from a folder of theirs, or moved out of one within the last hour, which is longer than a
 * stream can be resumed.
 */
const gone = prepared(
  (param: ParamOf<Gone>) => sql<{ id: Id }>`
    SELECT DISTINCT id FROM (
      SELECT id, user_id, folder_name, mail_folder_id FROM mail_received_messages
      WHERE customer_id = ${param(({ owner }) => owner.customerId)} AND id = ANY (${param(({ ids }) => ids)}::bigint[]) AND removed
      UNION ALL
      SELECT message.id, message.user_id, reason -> 'from' ->> 'folder', (reason -> 'from' ->> 'mail_folder_id')::bigint
      FROM mail_traces AS trace JOIN mail_received_messages AS message ON message.id = trace.message_id
      WHERE trace.customer_id = ${param(({ owner }) => owner.customerId)} AND trace.message_id = ANY (${param(({ ids }) => ids)}::bigint[])
        AND message.customer_id = trace.customer_id AND trace.kind = 'moved' AND trace.created > now() - interval '1 hour'
    ) AS place WHERE ${visible(param)}`,
)

export const receivedMessageRepository = (db: Db, { toSet, receiving, publishReceived, changeFolderCounts, cases }: Parts) => {
  const whole = visibleReads<typeof receivedMessageResource, MailReader>(db, receivedMessageResource, visible)
  const listed = visibleReads<typeof listedMessageResource, MailReader>(db, listedMessageResource, visible)

  const lock = async (tx: Tx, reader: MailReader, ids: readonly Id[], { expected, missing = notFound }: Options) => {
    await tx.$executeRaw`
      SELECT FROM mail_received_messages WHERE customer_id = ${reader.customerId} AND id = ANY (${ids}::bigint[]) ORDER BY id FOR UPDATE`
    const messages = await listed.some(reader, ids)
    if (messages.length < ids.length) throw missing()
    if (expected !== undefined && messages.some(({ version }) => version !== expected)) throw stale()
    return messages
  }

  const trace = async (tx: Tx, { customerId, userId }: MailReader, moved: readonly ListedMessage[], { system, custom }: TargetFolder) => {
    const folder = system === null ? { mail_folder_id: String(custom) } : { folder: system }
    const reason = { by: 'moved', user: String(userId), ...folder }
    await tx.mailTrace.createMany({
      data: moved.map(({ id, mailServerId, folderName, mailFolderId }) => {
        const from = folderName === null ? { mail_folder_id: String(mailFolderId) } : { folder: folderName }
        return { customerId, mailServerId, messageId: id, kind: 'moved', reason: { ...reason, from } }
      }),
    })
  }

  const write = async (tx: Tx, reader: MailReader, messages: readonly ListedMessage[], { isRead, tags, folder, issueId }: Written) => {
    const { customerId } = reader
    const moved = folder ? messages.filter((message) => !sameFolder(folderOf(message), folder)) : []
    const read = isRead === undefined ? [] : messages.filter((message) => message.isRead !== isRead)
    const movedIds = moved.map(({ id }) => id)
    await tx.$executeRaw`
      UPDATE mail_received_messages SET
        is_read = coalesce(${isRead ?? null}::boolean, is_read),
        tags = coalesce(${tags ?? null}::text, tags),
        folder_name = CASE WHEN id = ANY (${movedIds}::bigint[]) THEN ${folder?.system ?? null}::text ELSE folder_name END,
        mail_folder_id = CASE WHEN id = ANY (${movedIds}::bigint[]) THEN ${folder?.custom ?? null}::bigint ELSE mail_folder_id END,
        before = CASE WHEN id <> ALL (${movedIds}::bigint[]) THEN before
          WHEN ${folder?.system ?? null}::text = 'TRASH'
            THEN jsonb_build_object('folder_name', folder_name, 'mail_folder_id', mail_folder_id::text) END
      WHERE customer_id = ${customerId} AND id = ANY (${messages.map(({ id }) => id)}::bigint[])`
    if (issueId !== undefined) await cases.link(tx, reader, messages, issueId)
    if (folder) await trace(tx, reader, moved, folder)
    if (isRead !== undefined && read.length > 0) {
      const servers = await toSet(
        tx,
        customerId,
        read.map(({ id }) => id),
        isRead,
      )
      for (const server of servers) await receiving.enqueue(tx, customerId, server)
    }
    const after = (message: ListedMessage) => ({
      ...message,
      isRead: isRead ?? message.isRead,
      ...(folder && { folderName: folder.system, mailFolderId: folder.custom }),
    })
    const changed = messages.map((message) => ({
      ...{ id: message.id, userId: message.userId },
      folders: [folderOf(message), ...(folder ? [folder] : [])],
    }))
    await publishReceived(tx, customerId, changed)
    await changeFolderCounts(
      tx,
      customerId,
      messages.flatMap((message) => deltasOf(message, after(message))),
    )
  }

  return {
    list: listed.list,
    get: whole.get,
    some: listed.some,

    /** Those of the messages to which files can be attached. */
    async linkable(customerId: Id, ids: readonly Id[]): Promise<LinkableObject[]> {
      const where = { customerId, id: { in: [...ids] }, removed: false }
      const found = await db.read(office(customerId)).mailReceivedMessage.findMany({ where, select: { id: true, version: true } })
      return found.map((row) => seenByEmployees(row))
    },

    /** Those of the messages that the reader could see until recently. */
    async gone(reader: MailReader, ids: readonly Id[]): Promise<ReadonlySet<Id>> {
      if (ids.length === 0) return new Set()
      const rows = await db.query(reader, gone({ owner: reader, ids }))
      return new Set(rows.map(({ id }) => id))
    },

    /** Changes all of the messages, or none. */
    change: (reader: MailReader, ids: readonly Id[], begin: Begin, options: Options = {}): Promise<void> =>
      db.write(reader, async (tx) => {
        const decide = await begin(tx)
        const messages = await lock(tx, reader, ids, options)
        await write(tx, reader, messages, await decide(messages))
      }),

    /** Moves a message to TRASH, or removes one in TRASH for good. The row stays without its content, so that the message is not fetched again. */
    remove: (reader: MailReader, id: Id, expected?: number): Promise<void> =>
      db.write(reader, async (tx) => {
        const messages = await lock(tx, reader, [id], { expected })
        if (messages.some(({ folderName }) => folderName !== 'TRASH'))
          return write(tx, reader, messages, { folder: { system: 'TRASH', custom: null } })
        const { customerId } = reader
        const empty = {
          ...{ mailAddress: '', mailName: '', mailTo: '[]', mailCc: '[]', mailSubject: '', mailBody: '', bodyText: '', tags: '[]' },
          blobKey: erasedKey,
        }
        await tx.mailReceivedMessage.update({ where: { id, customerId }, data: { ...empty, removed: true, hasAttachments: false } })
        await tx.mailAttachment.deleteMany({ where: { messageId: id, customerId } })
        const changed = messages.map((message) => ({ id, userId: message.userId, folders: [folderOf(message)] }))
        await publishReceived(tx, customerId, changed)
      }),

    /** The folder of a message before it was moved to TRASH, as stored. */
    async before(reader: MailReader, id: Id): Promise<unknown> {
      const { customerId } = reader
      const found = await db.read(reader).mailReceivedMessage.findFirst({ where: { id, customerId }, select: { before: true } })
      return found?.before
    },

    /** The key of a message's bytes. @throws AppError `not-found` when it was deleted since it was read */
    async blobKey({ id, customerId }: Pick<ListedMessage, 'id' | 'customerId'>): Promise<string> {
      const found = await db.read({ customerId }).mailReceivedMessage.findFirst({ where: { id, customerId }, select: { blobKey: true } })
      if (!found) throw notFound()
      return found.blobKey
    },

    /** The trace of a message, the oldest entry first. */
    traces: ({ id, customerId }: Pick<ListedMessage, 'id' | 'customerId'>) =>
      db.read({ customerId }).mailTrace.findMany({ where: { messageId: id, customerId }, orderBy: { id: 'asc' } }),
  }
}

export type ReceivedMessageRepository = ReturnType<typeof receivedMessageRepository>
