import type { Id } from '@caseway/kit/caller'
import { insertRows } from '@caseway/kit/database'
import type { PublishReceived } from '../../changed-messages/changed-messages.js'
import type { Tx } from '../../database.js'
import { type ChangeFolderCounts, type CountedMessage, deltasOf, type FolderDelta } from '../../folder-counts/folder-count.js'
import type { LinkedCases } from '../../linked-cases/linked-case.js'
import { htmlOfText, type MailHtml } from '../../mail-html/mail-html.js'
import { attachmentAddress } from '../attachment-address.js'
import { systemFolder, type TargetFolder } from '../target-folder.js'
import type { Arrived, ReceivingMailbox, StoredMessage } from './arrived-message.js'
import { namedIds } from './message-thread.js'
import { attachmentsOf, contentOf, htmlOf, textOf } from './new-message.js'
import { threadsOf } from './thread.repository.js'

/** Applies delivery reports to the sent messages that they report on. */
export type ReadReports = (tx: Tx, mailbox: ReceivingMailbox, messages: readonly StoredMessage[]) => Promise<void>

interface Followers {
  readonly readReports: ReadReports
  readonly publishReceived: PublishReceived<Tx>
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  readonly cases: Pick<LinkedCases, 'arrived'>
}

/** A message with its id, its conversation and its folder. */
interface Placed extends CountedMessage {
  readonly id: Id
  readonly mailThreadId: Id
  readonly message: Arrived
}

/** Those of the custom folders that still exist, locked against deletion until the transaction ends. */
async function presentFolders(tx: Tx, { customerId }: ReceivingMailbox, folders: readonly TargetFolder[]) {
  const ids = [...new Set(folders.flatMap(({ custom }) => custom ?? []))]
  if (ids.length === 0) return new Set<Id>()
  const rows = await tx.$queryRaw<{ id: Id }[]>`
    SELECT id FROM mail_folders WHERE customer_id = ${customerId} AND id = ANY (${ids}::bigint[]) AND NOT removed ORDER BY id FOR KEY SHARE`
  return new Set(rows.map(({ id }) => id))
}

async function newIds(tx: Tx, count: number): Promise<Id[]> {
  const rows = await tx.$queryRaw<{ id: Id }[]>`
    SELECT nextval(pg_get_serial_sequence('mail_received_messages', 'id')) AS id FROM generate_series(1, ${count}::int)`
  return rows.map(({ id }) => id)
}

/** @param present those of the custom folders that still exist */
async function placed(tx: Tx, mailbox: ReceivingMailbox, messages: readonly Arrived[], present: ReadonlySet<Id>): Promise<Placed[]> {
  const threaded = messages.map(({ headers, parsed }) => parsed ?? headers)
  const threads = await threadsOf(tx, mailbox, threaded)
  const ids = await newIds(tx, messages.length)
  return messages.map((message, i) => {
    const { folder } = message.decision
    // The custom folder was deleted meanwhile.
    const { system, custom } = folder.custom !== null && !present.has(folder.custom) ? systemFolder('OTHERS') : folder
    const inFolder = { userId: mailbox.userId, folderName: system, mailFolderId: custom, isRead: message.seen }
    return { id: ids[i] as Id, mailThreadId: threads[i] as Id, ...inFolder, message }
  })
}

function messageRow(mailbox: ReceivingMailbox, { id, userId, mailThreadId, folderName, mailFolderId, message }: Placed, body: string) {
  return {
    ...{ customer_id: mailbox.customerId, mail_server_id: mailbox.id, id, user_id: userId, mail_thread_id: mailThreadId },
    ...{ client_id: message.decision.clientId, ...contentOf(message, mailbox), mail_body: body },
    ...{ folder_name: folderName, mail_folder_id: mailFolderId, blob_key: message.blobKey, sha256: Buffer.from(message.sha256) },
  }
}

const attachmentRows = ({ customerId }: ReceivingMailbox, { id, message }: Placed) =>
  attachmentsOf(message).map((row) => ({ ...row, customer_id: customerId, message_id: id }))

const traceRow = ({ customerId, id: mailServerId }: ReceivingMailbox, { id, message: { decision, silent, place } }: Placed) => ({
  ...{ customer_id: customerId, mail_server_id: mailServerId, message_id: id },
  ...{ kind: silent ? 'backfilled' : 'arrived', reason: decision.reason },
  ...{ remote_folder_id: place.remoteFolderId, epoch: place.epoch, uid: place.uid },
})

const published = ({ id, userId, folderName: system, mailFolderId: custom }: Placed) => ({
  ...{ id, userId },
  folders: [{ system, custom } as TargetFolder],
})

const linkable = ({ id, mailThreadId, message: { place, parsed, headers } }: Placed) => ({
  ...{ id, mailThreadId, specialUse: place.specialUse },
  named: namedIds(parsed ?? headers),
})

/** Inserts messages with everything that follows from their arrival. */
export const newMessageRepository = (html: MailHtml, { readReports, publishReceived, changeFolderCounts, cases }: Followers) => {
  const bodyOf = ({ id, message }: Placed) => {
    const sent = htmlOf(message)
    if (sent === null) return htmlOfText(textOf(message))
    return html.sanitise(sent, message.parsed?.attachments ?? [], (position) => attachmentAddress(id, position))
  }

  /** Sanitising may take long: it yields to other work after each 100 ms, with a statement that keeps the transaction from being idle. */
  const bodiesOf = async (tx: Tx, messages: readonly Placed[]): Promise<string[]> => {
    const bodies: string[] = []
    let since = performance.now()
    for (const message of messages) {
      bodies.push(bodyOf(message).toWellFormed())
      if (performance.now() - since < 100) continue
      await tx.$executeRaw`SELECT`
      since = performance.now()
    }
    return bodies
  }

  const insertAll = async (tx: Tx, mailbox: ReceivingMailbox, messages: readonly Placed[]) => {
    const bodies = await bodiesOf(tx, messages)
    const messageRows = messages.map((message, i) => messageRow(mailbox, message, bodies[i] as string))
    await insertRows(tx, 'mail_received_messages', messageRows)
    const ofAttachments = messages.flatMap((message) => attachmentRows(mailbox, message))
    await insertRows(tx, 'mail_attachments', ofAttachments)
    const traceRows = messages.map((message) => traceRow(mailbox, message))
    await insertRows(tx, 'mail_traces', traceRows)
  }

  return {
    /**
     * @param again handles those of the batch that are stored already, once the folders of the new ones are locked: a folder is locked before messages,
     * as when it is deleted. It returns the changes of counts
     * @returns the ids in the order of the messages
     */
    async insert(
      tx: Tx,
      mailbox: ReceivingMailbox,
      messages: readonly Arrived[],
      again: () => Promise<readonly FolderDelta[]>,
    ): Promise<Id[]> {
      const { customerId } = mailbox
      const folders = messages.map(({ decision }) => decision.folder)
      const present = await presentFolders(tx, mailbox, folders)
      const others = await again()
      if (messages.length === 0) {
        await changeFolderCounts(tx, customerId, others)
        return []
      }
      const inserted = await placed(tx, mailbox, messages, present)
      await insertAll(tx, mailbox, inserted)
      const announced = inserted.filter(({ message }) => !message.silent)
      await publishReceived(tx, customerId, announced.map(published))
      await cases.arrived(tx, customerId, inserted.map(linkable))
      const stored = inserted.map(({ message, id }) => ({ ...message, id }))
      await readReports(tx, mailbox, stored)
      const deltas = inserted.flatMap((message) => deltasOf(null, message))
      await changeFolderCounts(tx, customerId, [...others, ...deltas])
      return inserted.map(({ id }) => id)
    },
  }
}

export type NewMessages = ReturnType<typeof newMessageRepository>
