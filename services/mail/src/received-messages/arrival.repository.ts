import type { Id } from '@caseway/kit/caller'
import { insertRows } from '@caseway/kit/database'
import type { PublishReceived } from '../changed-messages/changed-messages.js'
import type { Tx } from '../database.js'
import { type ChangeFolderCounts, deltasOf, type FolderDelta } from '../folder-counts/folder-count.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import { htmlOfText, type MailHtml } from '../mail-html/mail-html.js'
import type { Announced, Arrived, IntakeResult, Place, ReceivingMailbox, StoredMessage } from './arrived-message.js'
import { attachmentAddress } from './attachment-address.js'
import { namedIds } from './message-thread.js'
import { attachmentsOf, contentOf, htmlOf, messageIdOf, textOf } from './new-message.js'
import type { SeenRepository } from './seen.repository.js'
import { systemFolder, type TargetFolder } from './target-folder.js'
import { threadsOf } from './thread.repository.js'
import type { TraceReason } from './trace-reason.js'
import type { VanishedDrafts } from './vanished-draft.repository.js'

/** Applies delivery reports to the sent messages that they report on. */
export type ReadReports = (tx: Tx, mailbox: ReceivingMailbox, messages: readonly StoredMessage[]) => Promise<void>

interface Parts {
  readonly readReports: ReadReports
  readonly html: MailHtml
  readonly publishReceived: PublishReceived<Tx>
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  readonly cases: Pick<LinkedCases, 'arrived'>
  readonly flags: Pick<SeenRepository, 'arrivedSeen' | 'toSetAt'>
  readonly drafts: Pick<VanishedDrafts, 'arriveAgain'>
}

interface PlacedMessage extends Pick<Announced, 'seen'> {
  readonly place: Place
  readonly messageId: Id | null
}

const keyOf = (sha256: Uint8Array) => Buffer.from(sha256).toString('base64')

/** Serialises the storing into a mailbox: a backfill may run beside the receiving of new messages. */
const lockMailbox = (tx: Tx, { id }: ReceivingMailbox) => tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('mailbox', ${id}))`

/** The messages of a mailbox by the hash of their bytes, including those that were removed for good. */
async function messagesByBytes(tx: Tx, { id: mailServerId, customerId }: ReceivingMailbox, hashes: readonly Uint8Array[]) {
  const rows = await tx.$queryRaw<{ id: Id; sha256: Uint8Array }[]>`
    SELECT id, sha256 FROM mail_received_messages
    WHERE customer_id = ${customerId} AND mail_server_id = ${mailServerId} AND sha256 = ANY (${hashes.map((hash) => Buffer.from(hash))}::bytea[])`
  return new Map(rows.map(({ id, sha256 }) => [keyOf(sha256), id]))
}

/**
 * Finds messages that are stored without their files and arrive whole, or the other way round, so that their bytes differ. They match by Message-ID,
 * size, and date of arrival on the server, which the sender of a message with a copied Message-ID cannot choose.
 */
async function messagesByName(tx: Tx, { id: mailServerId, customerId }: ReceivingMailbox, messages: readonly Arrived[]) {
  const asked = messages.flatMap((message) => {
    const name = messageIdOf(message)
    return name === null
      ? []
      : [{ key: keyOf(message.sha256), name, size: message.size, at: message.internalDate, partial: message.partial }]
  })
  if (asked.length === 0) return []
  const rows = await tx.$queryRaw<{ id: Id; key: string }[]>`
    SELECT message.id, asked.key FROM mail_received_messages AS message
    JOIN jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS asked (key text, name text, size int, at timestamptz, partial boolean)
      ON asked.name = message.msg_unique_identifier AND asked.size = message.size AND asked.at = message.timestamp AND (asked.partial OR message.partial)
    WHERE customer_id = ${customerId} AND mail_server_id = ${mailServerId} AND msg_unique_identifier = ANY (${asked.map(({ name }) => name)}::text[])
    ORDER BY message.id DESC`
  return rows.map(({ id, key }) => [key, id] as const)
}

/** Those of the custom folders that still exist, locked against deletion until the transaction ends. */
async function presentFolders(tx: Tx, { customerId }: ReceivingMailbox, folders: readonly TargetFolder[]) {
  const ids = [...new Set(folders.flatMap(({ custom }) => custom ?? []))]
  if (ids.length === 0) return new Set<Id>()
  const rows = await tx.$queryRaw<{ id: Id }[]>`
    SELECT id FROM mail_folders WHERE customer_id = ${customerId} AND id = ANY (${ids}::bigint[]) ORDER BY id FOR KEY SHARE`
  return new Set(rows.map(({ id }) => id))
}

async function newIds(tx: Tx, count: number): Promise<Id[]> {
  const rows = await tx.$queryRaw<{ id: Id }[]>`
    SELECT nextval(pg_get_serial_sequence('mail_received_messages', 'id')) AS id FROM generate_series(1, ${count}::int)`
  return rows.map(({ id }) => id)
}

/** Stores where messages are on the server. A known place is overwritten. */
async function keepPlaces(tx: Tx, customerId: Id, placed: readonly PlacedMessage[]): Promise<void> {
  const rows = placed.map(({ place, messageId, seen }) => ({
    ...{ remote_folder_id: String(place.remoteFolderId), epoch: place.epoch, uid: String(place.uid), uidl: place.uidl ?? null },
    ...{ message_id: messageId === null ? null : String(messageId), seen },
  }))
  await tx.$executeRaw`
    INSERT INTO message_locations (customer_id, remote_folder_id, epoch, uid, uidl, message_id, seen)
    SELECT ${customerId}, remote_folder_id, epoch, uid, uidl, message_id, seen
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS place (remote_folder_id bigint, epoch int, uid bigint, uidl text, message_id bigint, seen boolean)
    ON CONFLICT (remote_folder_id, epoch, uid) DO UPDATE SET message_id = excluded.message_id, uidl = excluded.uidl, seen = excluded.seen`
}

/** Stores messages that arrive. */
export const arrivalRepository = ({ readReports, html, publishReceived, changeFolderCounts, cases, flags, drafts }: Parts) => {
  const bodyOf = (id: Id, message: Arrived) => {
    const sent = htmlOf(message)
    if (sent === null) return htmlOfText(textOf(message))
    return html.sanitise(sent, message.parsed?.attachments ?? [], (position) => attachmentAddress(id, position))
  }

  /** Sanitising may take long: it yields to other work after each 100 ms, with a statement that keeps the transaction from being idle. */
  const bodiesOf = async (tx: Tx, messages: readonly Arrived[], ids: readonly Id[]): Promise<string[]> => {
    const bodies: string[] = []
    let since = performance.now()
    for (const [i, message] of messages.entries()) {
      bodies.push(bodyOf(ids[i] as Id, message).toWellFormed())
      if (performance.now() - since < 100) continue
      await tx.$executeRaw`SELECT`
      since = performance.now()
    }
    return bodies
  }

  /** @param others changes of counts by messages that are stored already */
  const insert = async (tx: Tx, mailbox: ReceivingMailbox, messages: readonly Arrived[], others: readonly FolderDelta[]): Promise<Id[]> => {
    const { customerId, userId, id: mailServerId } = mailbox
    if (messages.length === 0) {
      await changeFolderCounts(tx, customerId, others)
      return []
    }
    const threads = await threadsOf(
      tx,
      mailbox,
      messages.map(({ headers, parsed }) => parsed ?? headers),
    )
    const present = await presentFolders(
      tx,
      mailbox,
      messages.map(({ decision }) => decision.folder),
    )
    const ids = await newIds(tx, messages.length)
    const placed = messages.map(({ decision: { folder }, seen: isRead }, i) => {
      // The custom folder was deleted meanwhile.
      const { system, custom } = folder.custom !== null && !present.has(folder.custom) ? systemFolder('OTHERS') : folder
      return { id: ids[i] as Id, mailThreadId: threads[i] as Id, userId, folderName: system, mailFolderId: custom, isRead }
    })
    const bodies = await bodiesOf(tx, messages, ids)
    const ofMailbox = { customer_id: customerId, mail_server_id: mailServerId }
    await insertRows(
      tx,
      'mail_received_messages',
      placed.map(({ id, mailThreadId, folderName, mailFolderId }, i) => {
        const message = messages[i] as Arrived
        return {
          ...{ ...ofMailbox, id, user_id: userId, mail_thread_id: mailThreadId, client_id: message.decision.clientId },
          ...{ ...contentOf(message, mailbox), mail_body: bodies[i] },
          ...{ folder_name: folderName, mail_folder_id: mailFolderId, blob_key: message.blobKey, sha256: Buffer.from(message.sha256) },
        }
      }),
    )
    await insertRows(
      tx,
      'mail_attachments',
      messages.flatMap((message, i) =>
        attachmentsOf(message).map((row) => ({ ...row, customer_id: customerId, message_id: ids[i] as Id })),
      ),
    )
    await insertRows(
      tx,
      'mail_traces',
      messages.map(({ decision: { reason }, silent, place }, i) => ({
        ...{ ...ofMailbox, message_id: ids[i] as Id, kind: silent ? 'backfilled' : 'arrived', reason },
        ...{ remote_folder_id: place.remoteFolderId, epoch: place.epoch, uid: place.uid },
      })),
    )
    const announced = placed.filter((_, i) => messages[i]?.silent === false)
    await publishReceived(
      tx,
      customerId,
      announced.map(({ id, folderName: system, mailFolderId: custom }) => ({ id, userId, folders: [{ system, custom } as TargetFolder] })),
    )
    await changeFolderCounts(tx, customerId, [...others, ...placed.flatMap((message) => deltasOf(null, message))])
    await cases.arrived(
      tx,
      customerId,
      placed.map(({ id, mailThreadId }, i) => {
        const { place, parsed, headers } = messages[i] as Arrived
        return { id, mailThreadId, specialUse: place.specialUse, named: namedIds(parsed ?? headers) }
      }),
    )
    await readReports(
      tx,
      mailbox,
      messages.map((message, i) => ({ ...message, id: ids[i] as Id })),
    )
    return ids
  }

  return {
    async store(tx: Tx, mailbox: ReceivingMailbox, messages: readonly Arrived[]): Promise<IntakeResult> {
      await lockMailbox(tx, mailbox)
      const hashes = messages.map(({ sha256 }) => sha256)
      const [byName, byBytes] = await Promise.all([messagesByName(tx, mailbox, messages), messagesByBytes(tx, mailbox, hashes)])
      const known = new Map([...byName, ...byBytes])
      const first = new Map(messages.map((message) => [keyOf(message.sha256), message]).reverse() as [string, Arrived][])
      const fresh = messages.filter((message) => first.get(keyOf(message.sha256)) === message && !known.has(keyOf(message.sha256)))
      const again = messages.filter(({ sha256 }) => known.has(keyOf(sha256)))
      const idsOf = (some: readonly Arrived[]) => some.flatMap(({ sha256 }) => known.get(keyOf(sha256)) ?? [])
      const outsideTrash = again.filter(({ place }) => place.specialUse !== 'trash')
      const returned = await drafts.arriveAgain(tx, mailbox.customerId, idsOf(outsideTrash))
      const read = await flags.arrivedSeen(tx, mailbox, idsOf(again.filter(({ seen }) => seen)))
      const ids = await insert(tx, mailbox, fresh, [...returned, ...read])
      const all = new Map([...known, ...fresh.map(({ sha256 }, i) => [keyOf(sha256), ids[i] as Id] as const)])
      const placed = messages.map(({ place, seen, sha256 }) => ({ place, seen, messageId: all.get(keyOf(sha256)) as Id }))
      await keepPlaces(tx, mailbox.customerId, placed)
      await flags.toSetAt(
        tx,
        mailbox,
        again.map(({ place }) => place),
      )
      const used = new Set(fresh.map(({ blobKey }) => blobKey))
      const unusedBlobs = messages.map(({ blobKey }) => blobKey).filter((key) => !used.has(key))
      return { stored: fresh.length, duplicates: messages.length - fresh.length, unusedBlobs }
    },

    async discard(tx: Tx, { id: mailServerId, customerId }: ReceivingMailbox, messages: readonly (Announced & { reason: TraceReason })[]) {
      await keepPlaces(
        tx,
        customerId,
        messages.map(({ place, seen }) => ({ place, seen, messageId: null })),
      )
      await insertRows(
        tx,
        'mail_traces',
        messages.map(({ place, reason }) => ({
          ...{ customer_id: customerId, mail_server_id: mailServerId, kind: 'discarded', reason },
          ...{ remote_folder_id: place.remoteFolderId, epoch: place.epoch, uid: place.uid },
        })),
      )
    },
  }
}

export type ArrivalRepository = ReturnType<typeof arrivalRepository>
