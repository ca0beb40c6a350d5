import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { PublishReceived, PublishSent } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import type { TargetFolder } from '../received-messages/target-folder.js'
import type { TraceReason } from '../received-messages/trace-reason.js'
import type { Correspondent } from './case-directory.js'
import type { Linked } from './linked-case.js'

/** A message in the conversation of a case. */
export interface MessageOfThread {
  readonly id: Id
  readonly customerId: Id
  readonly mailServerId: Id
  readonly issueId: Id
  readonly folderName: string | null
  readonly sender: Correspondent
}

interface Placed {
  readonly id: Id
  readonly userId: Id
  readonly system: string | null
  readonly custom: Id | null
}

const changedOf = ({ id, userId, system, custom }: Placed) => ({ id, userId, folders: [{ system, custom } as TargetFolder] })

interface Row extends Omit<MessageOfThread, 'sender'>, Correspondent {}

const waitingMessage = prepared(
  (param: ParamOf<{ readonly customerId: Id; readonly messageId: Id }>) => sql<Row>`
    SELECT message.id, message.customer_id AS "customerId", message.mail_server_id AS "mailServerId", thread.issue_id AS "issueId",
      message.folder_name AS "folderName", message.mail_address AS address, message.client_id AS "clientId"
    FROM mail_received_messages AS message
    JOIN mail_threads AS thread ON thread.customer_id = message.customer_id AND thread.id = message.mail_thread_id
    WHERE message.customer_id = ${param(({ customerId }) => customerId)} AND message.id = ${param(({ messageId }) => messageId)}
      AND message.issue_id IS NULL AND NOT message.removed AND thread.issue_id IS NOT NULL`,
)

export interface PublishedLinks {
  readonly publishReceived: PublishReceived<Tx>
  readonly publishSent: PublishSent<Tx>
}

/** The links of messages and conversations to cases. */
export const linkedCaseRepository = (db: Db, { publishReceived, publishSent }: PublishedLinks) => {
  const trace = (tx: Tx, customerId: Id, messages: readonly Pick<Linked, 'id' | 'mailServerId'>[], reason: TraceReason) =>
    tx.mailTrace.createMany({
      data: messages.map(({ id, mailServerId }) => ({ customerId, mailServerId, messageId: id, kind: 'linked', reason: { ...reason } })),
    })

  return {
    /** As `LinkedCases.link`, for conversations that have a case. */
    async link(tx: Tx, { customerId, userId }: { customerId: Id; userId: Id }, messages: readonly Linked[], issueId: Id | null) {
      const changed = messages.filter((message) => message.issueId !== issueId)
      if (changed.length === 0) return
      const [ids, threads] = [changed.map(({ id }) => id), changed.map(({ mailThreadId }) => mailThreadId)]
      const before = changed.flatMap(({ issueId }) => issueId ?? [])
      await tx.$executeRaw`UPDATE mail_received_messages SET issue_id = ${issueId} WHERE customer_id = ${customerId} AND id = ANY (${ids}::bigint[])`
      await tx.$executeRaw`SELECT FROM mail_threads WHERE customer_id = ${customerId} AND id = ANY (${threads}::bigint[]) ORDER BY id FOR UPDATE`
      await tx.$executeRaw`
        UPDATE mail_threads SET issue_id = ${issueId}
        WHERE customer_id = ${customerId} AND id = ANY (${threads}::bigint[]) AND (${issueId}::bigint IS NOT NULL OR issue_id = ANY (${before}::bigint[]))`
      await trace(tx, customerId, changed, { by: 'user', user: String(userId), issue_id: issueId === null ? null : String(issueId) })
    },

    /** Links conversations to cases, unless they are linked already. */
    async begin(tx: Tx, customerId: Id, begun: readonly { readonly mailThreadId: Id; readonly issueId: Id }[]): Promise<void> {
      if (begun.length === 0) return
      const [threads, issues] = [begun.map(({ mailThreadId }) => mailThreadId), begun.map(({ issueId }) => issueId)]
      await tx.$executeRaw`SELECT FROM mail_threads WHERE customer_id = ${customerId} AND id = ANY (${threads}::bigint[]) ORDER BY id FOR UPDATE`
      await tx.$executeRaw`
        UPDATE mail_threads SET issue_id = begun.issue_id FROM unnest(${threads}::bigint[], ${issues}::bigint[]) AS begun (id, issue_id)
        WHERE mail_threads.customer_id = ${customerId} AND mail_threads.id = begun.id AND mail_threads.issue_id IS NULL`
    },

    /** @returns those of the conversations that are linked to a case */
    async ofCases(tx: Tx, customerId: Id, threads: readonly Id[]): Promise<ReadonlySet<Id>> {
      const rows = await tx.mailThread.findMany({
        where: { customerId, id: { in: [...threads] }, issueId: { not: null } },
        select: { id: true },
      })
      return new Set(rows.map(({ id }) => id))
    },

    /** The message with the case of its conversation. Null where the message was removed or linked already, or its conversation has no case any more. */
    async waiting(customerId: Id, messageId: Id): Promise<MessageOfThread | null> {
      const [row] = await db.query(office(customerId), waitingMessage({ customerId, messageId }))
      if (!row) return null
      const { address, clientId, ...message } = row
      return { ...message, sender: { address, clientId } }
    },

    /** Links a message to the case of its conversation, unless either was linked or unlinked meanwhile. */
    async follow(tx: Tx, { id, customerId, issueId, mailServerId }: MessageOfThread): Promise<void> {
      const linked = await tx.$queryRaw<Placed[]>`
        UPDATE mail_received_messages AS message SET issue_id = ${issueId}
        WHERE message.customer_id = ${customerId} AND message.id = ${id} AND message.issue_id IS NULL AND NOT message.removed AND EXISTS (
          SELECT FROM mail_threads AS thread
          WHERE thread.customer_id = ${customerId} AND thread.id = message.mail_thread_id AND thread.issue_id = ${issueId})
        RETURNING id, user_id AS "userId", folder_name AS system, mail_folder_id AS custom`
      if (linked.length === 0) return
      await publishReceived(tx, customerId, linked.map(changedOf))
      await trace(tx, customerId, [{ id, mailServerId }], { by: 'thread', issue_id: String(issueId) })
    },

    /** Unlinks all messages and conversations of a deleted case. */
    forget: (customerId: Id, issueId: Id): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        await tx.$executeRaw`SELECT FROM mail_sent_messages WHERE customer_id = ${customerId} AND issue_id = ${issueId} ORDER BY id FOR UPDATE`
        const sent = await tx.$queryRaw<{ id: Id; userId: Id }[]>`
          UPDATE mail_sent_messages SET issue_id = NULL WHERE customer_id = ${customerId} AND issue_id = ${issueId} RETURNING id, user_id AS "userId"`
        await publishSent(tx, customerId, sent)
        await tx.$executeRaw`SELECT FROM mail_received_messages WHERE customer_id = ${customerId} AND issue_id = ${issueId} ORDER BY id FOR UPDATE`
        const received = await tx.$queryRaw<Placed[]>`
          UPDATE mail_received_messages SET issue_id = NULL WHERE customer_id = ${customerId} AND issue_id = ${issueId}
          RETURNING id, user_id AS "userId", folder_name AS system, mail_folder_id AS custom`
        await publishReceived(tx, customerId, received.map(changedOf))
        await tx.$executeRaw`SELECT FROM mail_threads WHERE customer_id = ${customerId} AND issue_id = ${issueId} ORDER BY id FOR UPDATE`
        await tx.$executeRaw`UPDATE mail_threads SET issue_id = NULL WHERE customer_id = ${customerId} AND issue_id = ${issueId}`
      }),
  }
}

export type LinkedCaseRepository = ReturnType<typeof linkedCaseRepository>
