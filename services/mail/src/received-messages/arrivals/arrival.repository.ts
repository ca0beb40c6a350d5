import type { Id } from '@caseway/kit/caller'
import { insertRows } from '@caseway/kit/database'
import type { Tx } from '../../database.js'
import type { SeenRepository } from '../seen.repository.js'
import type { TraceReason } from '../trace-reason.js'
import type { Announced, Arrived, IntakeResult, Place, ReceivingMailbox } from './arrived-message.js'
import { messageIdOf } from './new-message.js'
import type { NewMessages } from './new-message.repository.js'
import type { VanishedDrafts } from './vanished-draft.repository.js'

interface Parts {
  readonly newMessages: NewMessages
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
  const named = messages.flatMap((message) => {
    const name = messageIdOf(message)
    return name === null
      ? []
      : [{ key: keyOf(message.sha256), name, size: message.size, at: message.internalDate, partial: message.partial }]
  })
  if (named.length === 0) return []
  const rows = await tx.$queryRaw<{ id: Id; key: string }[]>`
    SELECT message.id, arrived.key FROM mail_received_messages AS message
    JOIN jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS arrived (key text, name text, size int, at timestamptz, partial boolean)
      ON arrived.name = message.msg_unique_identifier AND arrived.size = message.size AND arrived.at = message.timestamp AND (arrived.partial OR message.partial)
    WHERE customer_id = ${customerId} AND mail_server_id = ${mailServerId} AND msg_unique_identifier = ANY (${named.map(({ name }) => name)}::text[])
    ORDER BY message.id DESC`
  return rows.map(({ id, key }) => [key, id] as const)
}

/** The stored messages of the mailbox that arrive again, by the hash of the arriving bytes. */
async function knownMessages(tx: Tx, mailbox: ReceivingMailbox, messages: readonly Arrived[]): Promise<ReadonlyMap<string, Id>> {
  const hashes = messages.map(({ sha256 }) => sha256)
  const [byName, byBytes] = await Promise.all([messagesByName(tx, mailbox, messages), messagesByBytes(tx, mailbox, hashes)])
  return new Map([...byName, ...byBytes])
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
export const arrivalRepository = ({ newMessages, flags, drafts }: Parts) => {
  /** Handles messages that are stored already. @returns the changes of counts */
  const arriveAgain = async (tx: Tx, mailbox: ReceivingMailbox, again: readonly Arrived[], known: ReadonlyMap<string, Id>) => {
    const idsOf = (some: readonly Arrived[]) => some.flatMap(({ sha256 }) => known.get(keyOf(sha256)) ?? [])
    const outsideTrash = again.filter(({ place }) => place.specialUse !== 'trash')
    const returned = await drafts.arriveAgain(tx, mailbox.customerId, idsOf(outsideTrash))
    const read = await flags.arrivedSeen(tx, mailbox, idsOf(again.filter(({ seen }) => seen)))
    return [...returned, ...read]
  }

  return {
    async store(tx: Tx, mailbox: ReceivingMailbox, messages: readonly Arrived[]): Promise<IntakeResult> {
      await lockMailbox(tx, mailbox)
      const known = await knownMessages(tx, mailbox, messages)
      const first = new Map(messages.map((message) => [keyOf(message.sha256), message]).reverse() as [string, Arrived][])
      const fresh = messages.filter((message) => first.get(keyOf(message.sha256)) === message && !known.has(keyOf(message.sha256)))
      const again = messages.filter(({ sha256 }) => known.has(keyOf(sha256)))
      const ids = await newMessages.insert(tx, mailbox, fresh, () => arriveAgain(tx, mailbox, again, known))
      const all = new Map([...known, ...fresh.map(({ sha256 }, i) => [keyOf(sha256), ids[i] as Id] as const)])
      const placed = messages.map(({ place, seen, sha256 }) => ({ place, seen, messageId: all.get(keyOf(sha256)) as Id }))
      await keepPlaces(tx, mailbox.customerId, placed)
      const placesAgain = again.map(({ place }) => place)
      await flags.toSetAt(tx, mailbox, placesAgain)
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
