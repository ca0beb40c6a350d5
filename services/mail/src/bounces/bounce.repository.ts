import type { Id } from '@caseway/kit/caller'
import { insertRows } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { sentMessageTopic } from '@caseway/protos/topics'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { MessageIds } from '../composition/message-id.js'
import type { Tx } from '../database.js'
import type { ReceivingMailbox, StoredMessage } from '../received-messages/arrivals/arrived-message.js'
import type { TraceReason } from '../received-messages/trace-reason.js'
import { addressKey } from '../senders/sender.js'
import { states } from '../sent-messages/sent-message.js'
import { type ReportedRecipient, reportedRecipients, reportText } from './delivery-report.js'

/** For each reported state, the states of a recipient that it replaces: `delivered` and `failed` are final. */
const before = {
  failed: ['pending', 'accepted', 'delayed'],
  delayed: ['pending', 'accepted'],
  delivered: ['pending', 'accepted', 'delayed'],
} as const

/** Reports in these folders of the mail server are ignored. */
const excluded: readonly (string | null)[] = ['drafts', 'sent', 'trash']

/** Whether sending has ended. Until then the sending engine sets the status of the message. */
const isOver = (status: number) => status === states.done || status === states.failed

/**
 * Applies delivery reports to the messages that were sent from the mailbox in which the reports arrive, in the transaction that stores the reports.
 * Message-IDs that were not made here for the office are ignored, and so are recipients that the message does not have.
 */
export const bounceRepository = (ids: Pick<MessageIds, 'isOf'>, publishSent: PublishSent<Tx>) => {
  const sentMessage = async (tx: Tx, { customerId, userId, address }: ReceivingMailbox, named: readonly string[]) => {
    const own = named.filter((id) => ids.isOf(id, customerId))
    if (own.length === 0) return undefined
    const [found] = await tx.$queryRaw<{ id: Id; status: number }[]>`
      SELECT message.id, message.status FROM mail_sent_messages AS message JOIN mail_servers AS server ON server.id = message.mail_server_id
      WHERE message.customer_id = ${customerId} AND message.user_id = ${userId} AND message.msg_unique_identifier = ANY (${own}::text[])
        AND message.status <> ${states.draft} AND lower(server.user_email) = lower(${address})
      ORDER BY message.id LIMIT 1 FOR UPDATE OF message`
    return found
  }

  const written = async (tx: Tx, customerId: Id, sentMessageId: Id, reported: readonly ReportedRecipient[]) => {
    const byAddress = new Map(reported.flatMap((one) => one.addresses.map((each) => [addressKey(each), one] as const)))
    const recipients = await tx.mailSentRecipient.findMany({ where: { customerId, sentMessageId }, orderBy: { position: 'asc' } })
    const changed: ReportedRecipient[] = []
    for (const { id, address, state } of recipients) {
      const report = byAddress.get(addressKey(address))
      if (!report || !(before[report.state] as readonly string[]).includes(state)) continue
      await tx.mailSentRecipient.updateMany({ where: { id, customerId }, data: { state: report.state, error: reportText(report) } })
      changed.push(report)
    }
    return changed
  }

  /** Records in the trace of the report which sent message it is about. */
  const link = (tx: Tx, { id: mailServerId, customerId }: ReceivingMailbox, reportId: Id, sentId: Id) => {
    const reason: TraceReason = { by: 'report', mail_sent_message: String(sentId) }
    return insertRows(tx, 'mail_traces', [
      { customer_id: customerId, mail_server_id: mailServerId, message_id: reportId, kind: 'reported', reason },
    ])
  }

  return async (tx: Tx, mailbox: ReceivingMailbox, messages: readonly StoredMessage[]): Promise<void> => {
    const { customerId, userId } = mailbox
    for (const { id: reportId, parsed, silent, place } of messages) {
      if (!parsed?.report || silent || excluded.includes(place.specialUse)) continue
      const { status, messageId } = parsed.report
      const named = [messageId, parsed.inReplyTo, ...parsed.references.slice(-50)].filter((id) => id !== null)
      const sent = await sentMessage(tx, mailbox, named)
      if (!sent) continue
      await link(tx, mailbox, reportId, sent.id)
      const changed = await written(tx, customerId, sent.id, reportedRecipients(status))
      if (changed.length === 0) continue
      await publishSent(tx, customerId, [{ id: sent.id, userId }])
      const failed = changed.find(({ state }) => state === 'failed')
      if (!failed || !isOver(sent.status)) continue
      const where = { id: sent.id, customerId }
      const data = { status: states.failed, error: reportText(failed) }
      const { id, version } = await tx.mailSentMessage.update({ where, data, select: { id: true, version: true } })
      await outbox(tx, sentMessageTopic, { id, customerId, userId, revision: BigInt(version) })
    }
  }
}
