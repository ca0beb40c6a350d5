import { createHash } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../../database.js'
import type { ReceivingMailbox } from './arrived-message.js'
import { beginnings, namedIds, type Threaded, thread } from './message-thread.js'

const hashOf = (messageId: string) => createHash('sha256').update(messageId).digest()

/** A received message in its conversation. */
interface InConversation {
  readonly customerId: Id
  readonly mailServerId: Id
  readonly mailThreadId: Id
}

/** Adds a Message-ID to a conversation of a mailbox, so that messages which name it join that conversation. */
export async function joinThread(tx: Tx, { customerId, mailServerId, mailThreadId }: InConversation, messageId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO thread_members (customer_id, mail_server_id, hash, mail_thread_id)
    VALUES (${customerId}, ${mailServerId}, ${hashOf(messageId)}, ${mailThreadId}) ON CONFLICT DO NOTHING`
}

/**
 * Assigns the messages that arrive in a mailbox to conversations.
 * @returns their conversations, in the order of the messages. Conversations are confined to a mailbox, so that a forged Message-ID joins no
 * conversation of others.
 */
export async function threadsOf(
  tx: Tx,
  { id: mailServerId, customerId }: ReceivingMailbox,
  messages: readonly Threaded[],
): Promise<readonly Id[]> {
  const named = new Map(messages.flatMap(namedIds).map((id) => [hashOf(id).toString('base64'), id]))
  const hashes = [...named.values()].map(hashOf)
  const rows = await tx.$queryRaw<{ hash: Uint8Array; thread: Id }[]>`
    SELECT hash, mail_thread_id AS thread FROM thread_members WHERE mail_server_id = ${mailServerId} AND hash = ANY (${hashes}::bytea[])`
  const known = new Map(rows.map(({ hash, thread }) => [named.get(Buffer.from(hash).toString('base64')) as string, thread]))
  const fresh = await tx.$queryRaw<{ id: Id }[]>`
    INSERT INTO mail_threads (customer_id) SELECT ${customerId} FROM generate_series(1, ${beginnings(messages, known)}::int) RETURNING id`
  const result = thread(
    messages,
    known,
    fresh.map(({ id }) => id).sort((a, b) => Number(a - b)),
  )
  const members = [...result.members]
  await tx.$executeRaw`
    INSERT INTO thread_members (customer_id, mail_server_id, hash, mail_thread_id)
    SELECT ${customerId}, ${mailServerId}, hash, thread
    FROM unnest(${members.map(([id]) => hashOf(id))}::bytea[], ${members.map(([, thread]) => thread)}::bigint[]) AS member (hash, thread)`
  return result.threads
}
