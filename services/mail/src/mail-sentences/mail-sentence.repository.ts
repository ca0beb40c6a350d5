import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, resourceReads, sql } from '@caseway/kit/database'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import { protocols } from '../mail-connections/mailbox-access.js'
import { states } from '../sent-messages/sent-message.js'
import type { SendingMailbox } from '../sent-messages/written-message.js'
import { enqueueSentence, type ToMail } from './mail-sentence.job.js'
import type { CaseMessage, SentenceReason } from './mail-sentence.js'
import { mailSentenceResource } from './mail-sentence.resource.js'

type Mailbox = SendingMailbox & { readonly id: Id }

interface Query {
  readonly customerId: Id
  readonly issueId: Id
  readonly clientId: Id
}

const wanted = prepared(
  (param: ParamOf<Id>) => sql<{ wanted: boolean }>`SELECT sentences_by_mail AS wanted FROM customers WHERE id = ${param((id) => id)}`,
)

const clients = prepared(
  (param: ParamOf<{ readonly customerId: Id; readonly clientId: Id }>) => sql<{ address: string; known: boolean }>`
    SELECT address, known FROM senders
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND client_id = ${param(({ clientId }) => clientId)} AND kind = 'client'
    ORDER BY known DESC, id DESC LIMIT 1`,
)

/** SMTP mailboxes of the author first; then those with the address of the office, whoever owns them. */
const mailboxes = prepared((param: ParamOf<{ readonly customerId: Id; readonly userId: Id }>) => {
  const userId = param(({ userId }) => userId)
  return sql<Mailbox>`
      SELECT server.id, server.user_id AS "userId", server.user_name AS "userName", server.user_email AS "userEmail", server.reply_to AS "replyTo",
        server.signature, server.server_protocol AS "serverProtocol", server.priority, server.request_read_receipt AS "requestReadReceipt"
      FROM mail_servers AS server LEFT JOIN customers AS office ON office.id = server.customer_id
      WHERE server.customer_id = ${param(({ customerId }) => customerId)} AND server.server_protocol = ${param(() => protocols.smtp)}
        AND server.state <> 'paused' AND (server.user_id = ${userId} OR lower(server.user_email) = lower(nullif(office.email, '')))
      ORDER BY (server.user_id = ${userId}) DESC, (server.state = 'active') DESC, server.id`
})

/** The last 50 messages between the office and the client in the case. Automatic mail (`auto_kind`) is left out, because nobody should answer it. */
const conversation = prepared((param: ParamOf<Query>) => {
  const [customerId, issueId] = [param(({ customerId }) => customerId), param(({ issueId }) => issueId)]
  const clientId = param(({ clientId }) => clientId)
  return sql<CaseMessage>`
    SELECT "messageId", ${customerId} AS "customerId", ${issueId} AS "issueId", "mailServerId", "mailThreadId" FROM (
      SELECT msg_unique_identifier AS "messageId", mail_server_id AS "mailServerId", mail_thread_id AS "mailThreadId", "timestamp" AS at
      FROM mail_received_messages
      WHERE customer_id = ${customerId} AND issue_id = ${issueId} AND client_id = ${clientId} AND NOT removed AND auto_kind IS NULL
        AND msg_unique_identifier IS NOT NULL
      UNION ALL
      SELECT msg_unique_identifier, NULL, NULL, coalesce(sent_at, created)
      FROM mail_sent_messages
      WHERE customer_id = ${customerId} AND issue_id = ${issueId} AND client_id = ${clientId} AND status IN (0, 1, 2) AND msg_unique_identifier IS NOT NULL
      ORDER BY at DESC LIMIT 50
    ) AS message ORDER BY at`
})

/** The state of a sentence after it was handled. */
export type Became =
  | { readonly state: 'queued'; readonly reason: SentenceReason | null; readonly mailSentMessageId: Id }
  | { readonly state: 'not_sent' | 'cancelled'; readonly reason: SentenceReason }

const open = ['waiting', 'queued']

/** Sentences that are to be sent as mail, each once. */
export const mailSentenceRepository = (db: Db, publishSent: PublishSent<Tx>) => {
  const isWanted = async (customerId: Id): Promise<boolean> => (await db.query(office(customerId), wanted(customerId)))[0]?.wanted ?? false

  return {
    ...resourceReads(db, mailSentenceResource),
    isWanted,

    /** Stores a sentence and enqueues its mailing, if the office wants that. An event that is delivered again changes nothing. */
    async begin(sentence: ToMail): Promise<void> {
      const { customerId, issueId, sentenceId: issueSentenceId } = sentence
      if (!(await isWanted(customerId))) return
      await db.write(office(customerId), async (tx) => {
        const { count } = await tx.mailSentence.createMany({ data: [{ customerId, issueId, issueSentenceId }], skipDuplicates: true })
        if (count > 0) await enqueueSentence(tx, sentence)
      })
    },

    /** The sentence; null where it is not waiting any more. */
    waiting: (customerId: Id, issueSentenceId: Id) =>
      db.read(office(customerId)).mailSentence.findFirst({ where: { customerId, issueSentenceId, state: 'waiting' } }),

    clientOf: async (customerId: Id, clientId: Id) => (await db.query(office(customerId), clients({ customerId, clientId })))[0],
    mailboxesFor: (customerId: Id, userId: Id) => db.query(office(customerId), mailboxes({ customerId, userId })),
    conversation: (query: Query) => db.query(office(query.customerId), conversation(query)),

    /** Locks the sentence until the end of the transaction. @returns whether it is still waiting */
    async lock(tx: Tx, customerId: Id, issueSentenceId: Id): Promise<boolean> {
      const rows = await tx.$queryRaw<{ id: Id }[]>`
        SELECT id FROM mail_sentences WHERE customer_id = ${customerId} AND issue_sentence_id = ${issueSentenceId} AND state = 'waiting' FOR UPDATE`
      return rows.length > 0
    },

    async become(tx: Tx, customerId: Id, issueSentenceId: Id, became: Became): Promise<void> {
      await tx.mailSentence.updateMany({ where: { customerId, issueSentenceId }, data: became })
    },

    /** Cancels waiting and queued sentences, and their queued messages; a message that is being sent, or was sent, stays. */
    cancel: (customerId: Id, of: { readonly sentenceIds: readonly Id[] } | { readonly issueId: Id }): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        const which = 'issueId' in of ? { issueId: of.issueId } : { issueSentenceId: { in: [...of.sentenceIds] } }
        const rows = await tx.mailSentence.findMany({ where: { customerId, ...which, state: { in: open } }, select: { id: true } })
        const ids = rows.map(({ id }) => id)
        if (ids.length === 0) return
        await tx.$executeRaw`SELECT FROM mail_sentences WHERE customer_id = ${customerId} AND id = ANY (${ids}::bigint[]) ORDER BY id FOR UPDATE`
        // A draft in TRASH, as when somebody deletes a queued message.
        const cancelled = await tx.$queryRaw<{ id: Id; userId: Id }[]>`
          UPDATE mail_sent_messages AS message SET status = ${states.draft}, folder_name = 'TRASH', fence = message.fence + 1
          FROM mail_sentences AS sentence
          WHERE sentence.customer_id = ${customerId} AND sentence.id = ANY (${ids}::bigint[]) AND message.customer_id = ${customerId}
            AND message.id = sentence.mail_sent_message_id AND message.status = ${states.queued}
          RETURNING message.id, message.user_id AS "userId"`
        await publishSent(tx, customerId, cancelled)
        await tx.$executeRaw`
          UPDATE mail_sentences AS sentence SET state = 'cancelled', reason = 'removed'
          WHERE sentence.customer_id = ${customerId} AND sentence.id = ANY (${ids}::bigint[]) AND sentence.state IN ('waiting', 'queued') AND NOT EXISTS (
            SELECT FROM mail_sent_messages AS message
            WHERE message.customer_id = ${customerId} AND message.id = sentence.mail_sent_message_id AND message.status <> ${states.draft})`
      }),
  }
}

export type MailSentenceRepository = ReturnType<typeof mailSentenceRepository>
