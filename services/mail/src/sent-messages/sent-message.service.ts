import { isDeepStrictEqual } from 'node:util'
import type { Employee, Id } from '@caseway/kit/caller'
import { AppError, invalid } from '@caseway/kit/errors'
import { sentMessageBusy, sentMessageState } from '../errors.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import { protocols } from '../mail-connections/mailbox-access.js'
import { addressKey, type KnownSender } from '../senders/sender.js'
import { folderOf, laterThan, mayOwnerMove, type State, states } from './sent-message.js'
import type { SentMessageRepository, WrittenMessage } from './sent-message.repository.js'
import type { NewSentMessage, SentMessage, SentMessageChanges } from './sent-message.resource.js'
import { mostRecipients, type Recipient, recipientsAfter, wrongRecipients } from './sent-recipient.js'

/** A mailbox, and what is usual there. */
interface Mailbox {
  readonly userId: Id
  readonly serverProtocol: number
  readonly priority: number
  readonly requestReadReceipt: boolean
}

/** A message that is answered. */
interface Answered {
  readonly issueId: Id | null
}

/** What of the rest of the service a message names. `find` and `get` show what the caller sees. */
export interface SentMessageParts {
  readonly rows: SentMessageRepository
  readonly mailboxes: { find(caller: Employee, id: Id): Promise<Mailbox | null> }
  readonly received: { get(caller: Employee, id: Id): Promise<Answered> }
  readonly cases: Pick<LinkedCases, 'isSeen'>
  readonly directory: { find(customerId: Id, addresses: readonly string[]): Promise<ReadonlyMap<string, readonly KnownSender[]>> }
}

/** As often as a change is begun anew because another one was faster. */
const tries = 5

const doesNotExist = 'does not exist'

/** Messages that people write. Each belongs to the owner of the mailbox, who wrote it. */
export const sentMessageService = ({ rows, mailboxes, received, cases, directory }: SentMessageParts) => {
  const ownMailbox = async (caller: Employee, id: Id) => {
    const found = await mailboxes.find(caller, id)
    return found?.userId === caller.userId && found.serverProtocol === protocols.smtp ? found : undefined
  }

  const answered = (caller: Employee, id: Id) =>
    received.get(caller, id).catch((error: unknown) => {
      if (error instanceof AppError && error.kind === 'not-found') return undefined
      throw error
    })

  const clientOf = async ({ customerId }: Employee, address: string | undefined): Promise<Id | null> => {
    if (address === undefined) return null
    const key = addressKey(address)
    const known = (await directory.find(customerId, [key])).get(key) ?? []
    return known.find(({ kind }) => kind === 'client')?.clientId ?? null
  }

  /** What a message is after a request. @throws AppError `invalid` with everything that is wrong with it */
  const written = async (
    caller: Employee,
    before: SentMessage | null,
    sent: NewSentMessage | SentMessageChanges,
  ): Promise<WrittenMessage> => {
    const status = (sent.status ?? before?.status ?? states.draft) as State
    const mailServerId = (sent.mailServerId ?? before?.mailServerId) as Id
    const recipients = recipientsAfter(before?.mailSentRecipient ?? [], sent)
    const mailbox = await ownMailbox(caller, mailServerId)
    const reply = sent.replyToMessageId == null ? undefined : await answered(caller, sent.replyToMessageId)
    const wrong = wrongRecipients(sent)
    if (sent.status !== undefined && sent.status !== states.queued && sent.status !== states.draft) wrong.status = 'must be 0 or 4'
    if (!mailbox) wrong.mail_server_id = doesNotExist
    if (sent.replyToMessageId != null && !reply) wrong.reply_to_message_id = doesNotExist
    if (sent.issueId != null && !(await cases.isSeen(caller, sent.issueId))) wrong.issue_id = doesNotExist
    if (recipients.length > mostRecipients) wrong.mail_to_address = `must be at most ${mostRecipients} with those in cc and bcc`
    if (recipients.length === 0 && status === states.queued) wrong.mail_to_address = 'is required'
    if (!mailbox || Object.keys(wrong).length > 0) throw invalid(wrong)
    return {
      ...{ mailServerId, recipients, status, clientId: await clientOf(caller, recipients[0]?.address) },
      mailSubject: sent.mailSubject ?? before?.mailSubject ?? '',
      mailBody: sent.mailBody ?? before?.mailBody ?? '',
      folderName: before && sent.status === undefined ? before.folderName : folderOf(status),
      sendAt: laterThan(new Date(), sent.sendAt === undefined ? (before?.sendAt ?? null) : sent.sendAt),
      priority: sent.priority ?? before?.priority ?? mailbox.priority,
      requestReadReceipt: sent.requestReadReceipt ?? before?.requestReadReceipt ?? mailbox.requestReadReceipt,
      replyToMessageId: sent.replyToMessageId === undefined ? (before?.replyToMessageId ?? null) : sent.replyToMessageId,
      issueId: sent.issueId === undefined ? (before?.issueId ?? reply?.issueId ?? null) : sent.issueId,
    }
  }

  const { list, get, remove } = rows
  return {
    ...{ list, get, remove },

    create: async (caller: Employee, input: NewSentMessage): Promise<Id> => rows.create(caller, await written(caller, null, input)),

    /** @throws AppError MAIL_SENT_MESSAGE_STATE when it is being sent, or was: of a change and the sender one wins */
    async change(caller: Employee, id: Id, changes: SentMessageChanges, expected?: number): Promise<void> {
      for (let tried = 0; tried < tries; tried++) {
        const before = await rows.get(caller, id)
        const after = await written(caller, before, changes)
        if (!mayOwnerMove(before.status, after.status)) throw sentMessageState()
        if (expected === undefined && isSame(before, after)) return
        if (await rows.change(caller, before, after, expected)) return
      }
      throw sentMessageBusy()
    },
  }
}

/** Whether a change leaves everything as it is, the place in the queue as well. */
function isSame({ mailSentRecipient, ...before }: SentMessage, { recipients, ...after }: WrittenMessage): boolean {
  const written = (all: readonly Recipient[]) => all.map(({ kind, address, name }) => [kind, address, name])
  return isDeepStrictEqual(written(mailSentRecipient), written(recipients)) && isDeepStrictEqual({ ...before, ...after }, before)
}

export type SentMessageService = ReturnType<typeof sentMessageService>
