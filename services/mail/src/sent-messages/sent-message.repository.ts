import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import { type LinkableObject, seenByEmployees } from '@caseway/kit/objects'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import { messageNotInTrash, sentMessageState } from '../errors.js'
import { type ChangeFolderCounts, deltasOf } from '../folder-counts/folder-count.js'
import type { AddMessage, Writer } from './added-message.js'
import type { Sending } from './sending.js'
import { deleted, folderOf, isOpen, type SentFolder, type State, states } from './sent-message.js'
import { type SentMessage, sentMessageResource } from './sent-message.resource.js'
import { type RecipientKind, type RecipientState, toTry } from './sent-recipient.js'
import type { AnsweredMessage, FrozenMessage, WrittenMessage } from './written-message.js'

export interface SentMessageWrites {
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  /** Enqueues a check that the case still exists: it may have been deleted since its owner was asked. */
  readonly checkCase: (tx: Tx, customerId: Id, issueId: Id) => Promise<void>
  readonly sending: Sending
  readonly publishSent: PublishSent<Tx>
  /** Adds the Message-ID to the conversation, so that answers join it. */
  readonly joinThread: (tx: Tx, conversation: AnsweredMessage, messageId: string) => Promise<void>
}

const columnsOf = ({ recipients: [first], ...columns }: WrittenMessage) => ({
  ...columns,
  mailAddress: first?.address ?? '',
  mailName: first?.name ?? '',
})

const unwritten = { blobKey: null, sha256: null, size: null } as const

const bytesOf = (frozen: FrozenMessage | 'kept' | null) => {
  if (frozen === 'kept') return {}
  if (frozen === null) return unwritten
  const { answered: _, ...columns } = frozen
  return columns
}

/** Resets the state of earlier attempts. The new fence stops a run that still holds the message. */
const untried = { phase: null, attempts: 0, nextAttemptAt: null, unreachableSince: null, error: null, fence: { increment: 1 } } as const

const counted = ({ userId, folderName }: { userId: Id; folderName: string }) => ({
  ...{ userId, folderName: folderName as SentFolder, mailFolderId: null, isRead: true },
})

export const sentMessageRepository = (db: Db, { changeFolderCounts, checkCase, sending, joinThread, publishSent }: SentMessageWrites) => {
  const recipientsOf = async ({ customerId }: Employee, ids: readonly Id[]) => {
    const where = { customerId, sentMessageId: { in: [...ids] } }
    const rows = await db
      .read(office(customerId))
      .mailSentRecipient.findMany({ where, orderBy: [{ sentMessageId: 'asc' }, { position: 'asc' }] })
    return rows.map(({ kind, state, ...row }) => ({ ...row, kind: kind as RecipientKind, state: state as RecipientState }))
  }
  const reads = resourceReads(db, sentMessageResource, { mailSentRecipient: recipientsOf })

  /** Informs the other parts about a message that was written: conversation, case, queue, live stream and counts. */
  const announce = async (
    tx: Tx,
    caller: Writer,
    id: Id,
    before: SentFolder | null,
    after: WrittenMessage,
    frozen: FrozenMessage | 'kept' | null,
  ) => {
    const { customerId, userId } = caller
    if (frozen !== null && frozen !== 'kept' && frozen.answered) await joinThread(tx, frozen.answered, frozen.msgUniqueIdentifier)
    if (after.issueId !== null) await checkCase(tx, customerId, after.issueId)
    if (after.status === states.queued)
      await sending.enqueue(tx, customerId, after.mailServerId, after.sendAt ? { runAt: after.sendAt } : undefined)
    await publishSent(tx, customerId, [{ id, userId }])
    const deltas = deltasOf(before && counted({ userId, folderName: before }), counted({ userId, ...after }))
    await changeFolderCounts(tx, customerId, deltas)
  }

  /** Adds a message of a user. */
  const add: AddMessage = async (tx, { customerId, userId }, written, frozen) => {
    const data = { ...columnsOf(written), ...bytesOf(frozen), customerId, userId }
    const { id } = await tx.mailSentMessage.create({ data, select: { id: true } })
    const recipients = toTry(written.recipients, [])
    await tx.mailSentRecipient.createMany({ data: recipients.map((row) => ({ ...row, customerId, sentMessageId: id })) })
    await announce(tx, { customerId, userId }, id, null, written, frozen)
    return id
  }

  return {
    ...reads,
    add,

    /** Those of the messages to which files can be attached. */
    async linkable(customerId: Id, ids: readonly Id[]): Promise<LinkableObject[]> {
      const where = { customerId, id: { in: [...ids] } }
      const found = await db.read(office(customerId)).mailSentMessage.findMany({ where, select: { id: true, version: true } })
      return found.map((row) => seenByEmployees(row))
    },

    create: (caller: Employee, written: WrittenMessage, frozen: FrozenMessage | null): Promise<Id> =>
      db.write(office(caller.customerId), (tx) => add(tx, caller, written, frozen)),

    /**
     * Writes a changed message, unless it has changed since it was read.
     * @param frozen its bytes; `kept` to keep the present ones, null for a draft
     * @returns false where it was changed, or claimed by the sending engine, since it was read
     * @throws AppError MAIL_SENT_MESSAGE_STATE when it is being sent, or was sent
     */
    change: (
      caller: Employee,
      before: SentMessage,
      written: WrittenMessage,
      frozen: FrozenMessage | 'kept' | null,
      expected?: number,
    ): Promise<boolean> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const { id, folderName } = before
        const { version, status } = await reads.lock(tx, caller, id, expected)
        if (!isOpen(status)) throw sentMessageState()
        if (version !== before.version) return false
        const recipients = toTry(written.recipients, before.mailSentRecipient)
        const data = { ...columnsOf(written), ...bytesOf(frozen), ...untried }
        await tx.mailSentMessage.update({ where: { id, customerId }, data, select: { id: true } })
        await tx.mailSentRecipient.deleteMany({ where: { customerId, sentMessageId: id } })
        await tx.mailSentRecipient.createMany({ data: recipients.map((row) => ({ ...row, customerId, sentMessageId: id })) })
        await announce(tx, caller, id, folderName, written, frozen)
        return true
      }),

    /** Moves a message to TRASH; deletes a draft, or a message in TRASH, for good. @throws AppError MAIL_SENT_MESSAGE_STATE while it is being sent */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId, userId } = caller
        const message = await reads.lock(tx, caller, id, expected)
        const where = { id, customerId }
        const after = deleted(message)
        if (after === 'refused') throw sentMessageState()
        if (after === 'removed') await tx.mailSentMessage.delete({ where, select: { id: true } })
        else
          await tx.mailSentMessage.update({
            where,
            data: { status: after, folderName: 'TRASH', fence: { increment: 1 } },
            select: { id: true },
          })
        await publishSent(tx, customerId, [{ id, userId }])
        await changeFolderCounts(tx, customerId, deltasOf(counted({ userId, folderName: message.folderName }), null))
      }),

    /** Moves a message from TRASH to the folder of its state. @throws AppError MAIL_MESSAGE_NOT_IN_TRASH */
    restore: (caller: Employee, id: Id): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId, userId } = caller
        const { status, folderName: before } = await reads.lock(tx, caller, id)
        if (before !== 'TRASH') throw messageNotInTrash()
        const folderName = folderOf(status as State)
        await tx.mailSentMessage.update({ where: { id, customerId }, data: { folderName }, select: { id: true } })
        await publishSent(tx, customerId, [{ id, userId }])
        await changeFolderCounts(tx, customerId, deltasOf(null, counted({ userId, folderName })))
      }),
  }
}

export type SentMessageRepository = ReturnType<typeof sentMessageRepository>
