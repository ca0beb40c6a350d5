import { isDeepStrictEqual } from 'node:util'
import type { Employee, Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
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

/** The most attempts of a change that loses to concurrent changes in other copies of the service. */
const tries = 5

/** Messages that users write. Each belongs to its author, who is the owner of the mailbox. */
export const sentMessageService = ({ rows, ids, ...parts }: SentMessageParts) => {
  const { fieldErrors, judge } = writtenMessages(parts)

  /** Composes a message and stores its bytes. @param had its Message-ID, which it keeps; null where it has none yet */
  const freeze = async ({ customerId }: Employee, judged: Judged, had: string | null): Promise<FrozenMessage> => {
    const { message, answered, files } = judged
    // A message that is queued has a mailbox.
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

  /** As `freeze`, but reports a file that was deleted, or found to be infected, since the message was judged like one that was so before. */
  const freezeJudged = async (caller: Employee, judged: Judged, had: string | null, judgeAgain: () => Promise<unknown>) =>
    freeze(caller, judged, had).catch(async (error: unknown) => {
      if (error instanceof AppError && (error.kind === 'not-found' || error.kind === 'conflict')) await judgeAgain()
      throw error
    })

  const attempt = async (caller: Employee, id: Id, changes: SentMessageChanges, expected?: number): Promise<boolean> => {
    const before = await rows.get(caller, id)
    const judgeIt = () => judge(caller, before, changedFields(before, changes))
    const judged = await judgeIt()
    const { message } = judged
    if (!mayOwnerMove(before.status, message.status)) throw sentMessageState()
    if (expected === undefined && isSame(before, message)) return true
    const isKept = areBytesKept(before, message)
    const compose = () => (isKept ? 'kept' : freezeJudged(caller, judged, before.msgUniqueIdentifier, judgeIt))
    const frozen = message.status === states.queued ? await compose() : null
    return rows.change(caller, before, message, frozen, expected)
  }

  const turns = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY })
  const { list, get, some, remove, restore } = rows
  return {
    ...{ list, get, some, remove, restore },

    async fieldErrors(caller: Employee, sent: SentMessageChanges, id?: Id) {
      const [before = null] = id === undefined ? [] : await some(caller, [id])
      return fieldErrors(caller, changedFields(before, sent), before)
    },

    async create(caller: Employee, input: NewSentMessage): Promise<Id> {
      const judgeIt = () => judge(caller, null, input)
      const judged = await judgeIt()
      const frozen = judged.message.status === states.queued ? await freezeJudged(caller, judged, null, judgeIt) : null
      return rows.create(caller, judged.message, frozen)
    },

    /**
     * Changes a message. Changes of one message are applied in the order of their arrival, because a client that autosaves a draft does not wait for
     * answers.
     * @throws AppError MAIL_SENT_MESSAGE_STATE when it is being sent, or was sent: either the change or the sending engine wins
     */
    change: (caller: Employee, id: Id, wanted: SentMessageChanges, expected?: number): Promise<void> =>
      // The key contains the user, so that requests of others, which will not find the message, cannot delay its author.
      turns.acquire(`${caller.userId} ${id}`, async () => {
        for (let tried = 0; tried < tries; tried++) if (await attempt(caller, id, wanted, expected)) return
        throw sentMessageBusy()
      }),
  }
}

export type SentMessageService = ReturnType<typeof sentMessageService>

const areAddressedAlike = (before: SentMessage, { recipients }: WrittenMessage) =>
  isDeepStrictEqual(addressed(before.mailSentRecipient), addressed(recipients))

/** A field that is sent back as it was shown is no change: what it refers to may be gone since, and its status may be one that no request can set. */
const changedFields = (before: SentMessage | null, sent: SentMessageChanges): SentMessageChanges =>
  Object.fromEntries(Object.entries(sent).filter(([name, value]) => !isDeepStrictEqual(value, before?.[name as keyof SentMessage])))

/** Whether a change leaves everything as it is, including the place in the queue. */
function isSame(before: SentMessage, after: WrittenMessage): boolean {
  const { recipients: _, ...columns } = after
  const same = { ...before, sendAt: laterThan(new Date(), before.sendAt) }
  return areAddressedAlike(before, after) && isDeepStrictEqual({ ...same, ...columns }, same)
}

/** Whether the stored bytes can be sent as they are: the message was not made a draft since, and nothing in them changes. */
const areBytesKept = (before: SentMessage, after: WrittenMessage): boolean =>
  before.status !== states.draft &&
  before.size !== null &&
  areAddressedAlike(before, after) &&
  isDeepStrictEqual(contentOf(before), contentOf(after)) &&
  // The Date header is derived from it.
  isDeepStrictEqual(laterThan(new Date(), before.sendAt), after.sendAt)
