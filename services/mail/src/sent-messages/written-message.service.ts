import type { Employee, Id } from '@caseway/kit/caller'
import { invalid, undefinedIfNotFound } from '@caseway/kit/errors'
import type { FrozenMessages, HeadedFile } from '../composition/frozen-message.service.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import { protocols } from '../mail-connections/mailbox-access.js'
import { addressKey, type KnownSender } from '../senders/sender.js'
import { folderOf, laterThan, type State, states } from './sent-message.js'
import type { NewSentMessage, SentMessage, SentMessageChanges } from './sent-message.resource.js'
import { maxRecipients, recipientsAfter, withAddresses, wrongRecipients } from './sent-recipient.js'
import type { AnsweredMessage, SendingMailbox, WrittenMessage } from './written-message.js'

/** The other parts of the service to which a message refers. `find` and `get` return only what the caller sees. */
export interface WrittenMessageParts {
  readonly mailboxes: { find(caller: Employee, id: Id): Promise<SendingMailbox | null> }
  readonly received: { get(caller: Employee, id: Id): Promise<AnsweredMessage> }
  readonly cases: Pick<LinkedCases, 'isSeen'>
  readonly directory: { find(customerId: Id, addresses: readonly string[]): Promise<ReadonlyMap<string, readonly KnownSender[]>> }
  readonly frozen: Pick<FrozenMessages, 'head'>
  /** The most bytes of all files of a message together. */
  readonly maxAttachedBytes: number
}

/** A valid message, with the records to which it refers. */
export interface Judged {
  readonly message: WrittenMessage
  /** The mailbox that sends it. Undefined for a draft whose mailbox was deleted, or now receives instead. */
  readonly mailbox: SendingMailbox | undefined
  readonly answered: AnsweredMessage | undefined
  readonly files: readonly HeadedFile[]
}

type Wrong = Record<string, string>

const doesNotExist = 'does not exist'

/** Validates messages that users write. */
export const writtenMessages = ({ mailboxes, received, cases, directory, frozen, maxAttachedBytes }: WrittenMessageParts) => {
  const ownMailbox = async (caller: Employee, id: Id) => {
    const found = await mailboxes.find(caller, id)
    return found?.userId === caller.userId && found.serverProtocol === protocols.smtp ? found : undefined
  }

  const answeredBy = (caller: Employee, id: Id | null) => (id === null ? undefined : undefinedIfNotFound(received.get(caller, id)))

  const clientOf = async ({ customerId }: Employee, address: string | undefined): Promise<Id | null> => {
    if (address === undefined) return null
    const key = addressKey(address)
    const known = (await directory.find(customerId, [key])).get(key) ?? []
    return known.find(({ kind }) => kind === 'client')?.clientId ?? null
  }

  /** The files of a message, or the error. A draft may have files that are not scanned yet. */
  const filesOf = async ({ customerId }: Employee, ids: readonly string[], isQueued: boolean): Promise<HeadedFile[] | Wrong> => {
    const heads = await Promise.all(ids.map(async (id) => ({ id: BigInt(id), head: await frozen.head(customerId, BigInt(id)) })))
    if (heads.some(({ head }) => head === 'missing')) return { common_file_ids: doesNotExist }
    if (!isQueued) return []
    if (heads.some(({ head }) => head === 'not-clean')) return { common_file_ids: 'must have passed the virus scan' }
    const files = heads.flatMap(({ id, head }) => (typeof head === 'string' ? [] : [{ id, ...head }]))
    const size = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    return size <= maxAttachedBytes ? files : { common_file_ids: `must be at most ${maxAttachedBytes} bytes together` }
  }

  /** The files of a message, or the error, where a request changes or sends them; none otherwise. */
  const askedFiles = async (caller: Employee, before: SentMessage | null, sent: SentMessageChanges): Promise<HeadedFile[] | Wrong> => {
    const isQueued = statusAfter(before, sent) === states.queued
    const ids = fileIdsOf(sent.commonFileIds ?? before?.commonFileIds ?? '[]')
    return sent.commonFileIds !== undefined || isQueued ? filesOf(caller, ids, isQueued) : []
  }

  /** A text for each further invalid field among the valid ones of a request that is refused. */
  const fieldErrors = async (caller: Employee, sent: SentMessageChanges, before: SentMessage | null): Promise<Wrong> => {
    const { replyToMessageId, issueId } = sent
    const sender = sent.mailServerId ?? (statusAfter(before, sent) === states.queued ? before?.mailServerId : undefined)
    const files = await askedFiles(caller, before, sent)
    return {
      ...wrongTogether(before, withAddresses(sent)),
      ...(!Array.isArray(files) && files),
      ...(sender !== undefined && !(await ownMailbox(caller, sender)) && { mail_server_id: doesNotExist }),
      ...(replyToMessageId != null && !(await answeredBy(caller, replyToMessageId)) && { reply_to_message_id: doesNotExist }),
      ...(issueId != null && !(await cases.isSeen(caller, issueId)) && { issue_id: doesNotExist }),
    }
  }

  /** The message after a request. @throws AppError `invalid` with all errors */
  const judge = async (caller: Employee, before: SentMessage | null, sent: NewSentMessage | SentMessageChanges): Promise<Judged> => {
    const status = statusAfter(before, sent)
    const isQueued = status === states.queued
    const mailServerId = (sent.mailServerId ?? before?.mailServerId) as Id
    const recipients = recipientsAfter(before?.mailSentRecipient ?? [], sent)
    const replyToMessageId = sent.replyToMessageId === undefined ? (before?.replyToMessageId ?? null) : sent.replyToMessageId
    const fileIds = fileIdsOf(sent.commonFileIds ?? before?.commonFileIds ?? '[]')
    const mailbox = await ownMailbox(caller, mailServerId)
    const answered = await answeredBy(caller, replyToMessageId)
    const files = await askedFiles(caller, before, sent)
    const wrong: Wrong = { ...wrongTogether(before, sent), ...(Array.isArray(files) ? {} : files) }
    if (!mailbox && (isQueued || mailServerId !== before?.mailServerId)) wrong.mail_server_id = doesNotExist
    if (sent.replyToMessageId != null && !answered) wrong.reply_to_message_id = doesNotExist
    if (sent.issueId != null && !(await cases.isSeen(caller, sent.issueId))) wrong.issue_id = doesNotExist
    const usual = before ?? mailbox
    if (!usual || !Array.isArray(files) || Object.keys(wrong).length > 0) throw invalid(wrong)
    const message: WrittenMessage = {
      ...{ mailServerId, recipients, status, replyToMessageId, clientId: await clientOf(caller, recipients[0]?.address) },
      mailSubject: sent.mailSubject ?? before?.mailSubject ?? '',
      mailBody: sent.mailBody ?? before?.mailBody ?? '',
      addSignature: sent.addSignature ?? before?.addSignature ?? true,
      folderName: before && sent.status === undefined ? before.folderName : folderOf(status),
      sendAt: laterThan(new Date(), sent.sendAt === undefined ? (before?.sendAt ?? null) : sent.sendAt),
      priority: sent.priority ?? usual.priority,
      requestReadReceipt: sent.requestReadReceipt ?? usual.requestReadReceipt,
      issueId: sent.issueId === undefined ? (before ? before.issueId : (answered?.issueId ?? null)) : sent.issueId,
      commonFileIds: JSON.stringify(fileIds),
    }
    return { message, mailbox, answered, files }
  }

  return { fieldErrors, judge }
}

const statusAfter = (before: SentMessage | null, { status }: SentMessageChanges) => (status ?? before?.status ?? states.draft) as State

/** The errors of status and recipients, which depend on each other. */
function wrongTogether(before: SentMessage | null, sent: SentMessageChanges): Wrong {
  const recipientsBefore = before?.mailSentRecipient ?? []
  const { length } = recipientsAfter(recipientsBefore, sent)
  const isQueued = statusAfter(before, sent) === states.queued
  return {
    ...wrongRecipients(recipientsBefore, sent),
    ...(sent.status !== undefined && !isQueued && sent.status !== states.draft && { status: 'must be 0 or 4' }),
    ...(length > maxRecipients && { mail_to_address: `must be at most ${maxRecipients} with those in cc and bcc` }),
    ...(length === 0 && isQueued && { mail_to_address: 'is required' }),
  }
}

/** The distinct ids, as texts. */
const fileIdsOf = (ids: string): string[] => [...new Set((JSON.parse(ids) as (string | number)[]).map(String))]
