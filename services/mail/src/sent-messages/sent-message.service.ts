import { isDeepStrictEqual } from 'node:util'
import type { Employee, Id } from '@caseway/kit/caller'
import AsyncLock from 'async-lock'
import type { FrozenMessages } from '../composition/frozen-message.service.js'
import type { MessageIds } from '../composition/message-id.js'
import { sentMessageBusy, sentMessageState } from '../errors.js'
import { laterThan, mayOwnerMove, states } from './sent-message.js'
import type { SentMessageRepository } from './sent-message.repository.js'
import type { NewSentMessage, SentMessage, SentMessageChanges } from './sent-message.resource.js'
import { addressed, contentOf, type FrozenMessage, type SendingMailbox, threadOf, type WrittenMessage } from './written-message.js'
import { type Judged, type WrittenMessageParts, writtenMessages } from './written-message.service.js'

export interface SentMessageParts extends WrittenMessageParts {
  readonly rows: SentMessageRepository
  readonly frozen: FrozenMessages
  readonly ids: MessageIds
}

/** As often as a change is begun anew because one of another copy of the service was faster. */
const tries = 5

/** Messages that people write. Each belongs to the owner of the mailbox, who wrote it. */
export const sentMessageService = ({ rows, ids, ...parts }: SentMessageParts) => {
  const { fieldErrors, judge } = writtenMessages(parts)

  /** Writes a message down, with the Message-ID that it keeps. */
  const freeze = async ({ customerId }: Employee, judged: Judged, had: string | null): Promise<FrozenMessage> => {
    const { message, answered, files } = judged
    // What is queued has one.
    const mailbox = judged.mailbox as SendingMailbox
    const { userName: name, userEmail: address, replyTo } = mailbox
    const messageId = had ?? ids.make(customerId, address)
    const of = (kind: string) => message.recipients.filter((recipient) => recipient.kind === kind)
    const bytes = await parts.frozen.freeze(
      customerId,
      {
        ...{
          messageId,
          date: message.sendAt ?? new Date(),
          ...threadOf(answered),
          from: { name, address },
          replyTo,
          to: of('to'),
          cc: of('cc'),
        },
        ...{ subject: message.mailSubject, html: message.mailBody, priority: message.priority },
        signature: message.addSignature ? mailbox.signature : '',
        requestReadReceipt: message.requestReadReceipt,
      },
      files,
    )
    return { ...bytes, msgUniqueIdentifier: messageId, answered }
  }

  const attempt = async (caller: Employee, id: Id, changes: SentMessageChanges, expected?: number): Promise<boolean> => {
    const before = await rows.get(caller, id)
    const judged = await judge(caller, before, changes)
    const { message } = judged
    if (!mayOwnerMove(before.status, message.status)) throw sentMessageState()
    if (expected === undefined && isSame(before, message)) return true
    const isKept = areBytesKept(before, message)
    const frozen = message.status !== states.queued ? null : isKept ? 'kept' : await freeze(caller, judged, before.msgUniqueIdentifier)
    return rows.change(caller, before, message, frozen, expected)
  }

  const turns = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY })
  const { list, get, some, remove, restore } = rows
  return {
    ...{ list, get, some, remove, restore },

    async fieldErrors(caller: Employee, sent: SentMessageChanges, id?: Id) {
      const [before] = id === undefined ? [] : await some(caller, [id])
      return fieldErrors(caller, sent, before)
    },

    async create(caller: Employee, input: NewSentMessage): Promise<Id> {
      const judged = await judge(caller, null, input)
      const frozen = judged.message.status === states.queued ? await freeze(caller, judged, null) : null
      return rows.create(caller, judged.message, frozen)
    },

    /**
     * Changes of one message go one after the other, in the order in which they came: a program that saves a draft while it is written does not wait for its answers.
     * @throws AppError MAIL_SENT_MESSAGE_STATE when it is being sent, or was: of a change and the sender one wins
     */
    change: (caller: Employee, id: Id, wanted: SentMessageChanges, expected?: number): Promise<void> =>
      // Strangers, for whom there is no such message, wait among themselves.
      turns.acquire(`${caller.userId} ${id}`, async () => {
        for (let tried = 0; tried < tries; tried++) if (await attempt(caller, id, wanted, expected)) return
        throw sentMessageBusy()
      }),
  }
}

export type SentMessageService = ReturnType<typeof sentMessageService>

const areAddressedAlike = (before: SentMessage, { recipients }: WrittenMessage) =>
  isDeepStrictEqual(addressed(before.mailSentRecipient), addressed(recipients))

/** Whether a change leaves everything as it is, the place in the queue as well. */
function isSame(before: SentMessage, after: WrittenMessage): boolean {
  const { recipients: _, ...columns } = after
  return areAddressedAlike(before, after) && isDeepStrictEqual({ ...before, ...columns }, before)
}

/** What was written down is sent as it is, unless a draft was made of it since, or it says something else. */
const areBytesKept = (before: SentMessage, after: WrittenMessage): boolean =>
  before.status !== states.draft &&
  before.size !== null &&
  areAddressedAlike(before, after) &&
  isDeepStrictEqual(contentOf(before), contentOf(after)) &&
  // They are dated by it.
  isDeepStrictEqual(laterThan(new Date(), before.sendAt), after.sendAt)
