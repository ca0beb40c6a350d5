import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { sentMessageState } from '../errors.js'
import { type ChangeFolderCounts, deltasOf } from '../folder-counts/folder-count.js'
import type { Sending } from './sending.js'
import { deleted, isOpen, type SentFolder, type State, states } from './sent-message.js'
import { type SentMessage, sentMessageResource } from './sent-message.resource.js'
import type { Recipient, RecipientKind, RecipientState } from './sent-recipient.js'
import { toTry } from './sent-recipient.js'

/** What a message is after somebody has written it. */
export interface WrittenMessage {
  readonly mailServerId: Id
  readonly clientId: Id | null
  readonly mailSubject: string
  readonly mailBody: string
  readonly status: State
  readonly folderName: SentFolder
  readonly sendAt: Date | null
  readonly priority: number
  readonly requestReadReceipt: boolean
  readonly replyToMessageId: Id | null
  readonly issueId: Id | null
  readonly recipients: readonly Recipient[]
}

interface Parts {
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  /** Whether a case is still there is looked at again: it may be gone since its owner was asked. */
  readonly checkCase: (tx: Tx, customerId: Id, issueId: Id) => Promise<void>
  readonly sending: Sending
}

const columnsOf = ({ recipients: [first], ...columns }: WrittenMessage) => ({
  ...columns,
  mailAddress: first?.address ?? '',
  mailName: first?.name ?? '',
})

/** Nothing of an attempt before: whoever holds an older fence writes nothing. */
const untried = { phase: null, attempts: 0, leaseUntil: null, nextAttemptAt: null, error: null, fence: { increment: 1 } } as const

const counted = ({ userId, folderName }: { userId: Id; folderName: string }) => ({
  ...{ userId, folderName: folderName as SentFolder, mailFolderId: null, isRead: true },
})

export const sentMessageRepository = (db: Db, { changeFolderCounts, checkCase, sending }: Parts) => {
  const recipientsOf = async ({ customerId }: Employee, ids: readonly Id[]) => {
    const where = { customerId, sentMessageId: { in: [...ids] } }
    const rows = await db
      .read(office(customerId))
      .mailSentRecipient.findMany({ where, orderBy: [{ sentMessageId: 'asc' }, { position: 'asc' }] })
    return rows.map(({ kind, state, ...row }) => ({ ...row, kind: kind as RecipientKind, state: state as RecipientState }))
  }
  const reads = resourceReads(db, sentMessageResource, { mailSentRecipient: recipientsOf })

  /** What others are told of a message that was written. */
  const told = async (tx: Tx, { customerId, userId }: Employee, before: SentFolder | null, after: WrittenMessage) => {
    if (after.issueId !== null) await checkCase(tx, customerId, after.issueId)
    if (after.status === states.queued) await sending.enqueue(tx, customerId, after.mailServerId, after.sendAt)
    const deltas = deltasOf(before && counted({ userId, folderName: before }), counted({ userId, ...after }))
    await changeFolderCounts(tx, customerId, deltas)
  }

  return {
    ...reads,

    create: (caller: Employee, written: WrittenMessage): Promise<Id> =>
      db.write(office(caller.customerId), async (tx) => {
        const { customerId, userId } = caller
        const { id } = await tx.mailSentMessage.create({ data: { ...columnsOf(written), customerId, userId }, select: { id: true } })
        const recipients = toTry(written.recipients, [])
        await tx.mailSentRecipient.createMany({ data: recipients.map((row) => ({ ...row, customerId, sentMessageId: id })) })
        await told(tx, caller, null, written)
        return id
      }),

    /**
     * Writes a message as it is to be, while it is as it was read.
     * @returns whether it was: it may have been changed since, or claimed by the sender
     * @throws AppError MAIL_SENT_MESSAGE_STATE when it is being sent, or was
     */
    change: (caller: Employee, before: SentMessage, written: WrittenMessage, expected?: number): Promise<boolean> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const { id, folderName } = before
        const { version, status } = await reads.lock(tx, caller, id, expected)
        if (!isOpen(status)) throw sentMessageState()
        if (version !== before.version) return false
        const recipients = toTry(written.recipients, before.mailSentRecipient)
        await tx.mailSentMessage.update({ where: { id, customerId }, data: { ...columnsOf(written), ...untried }, select: { id: true } })
        await tx.mailSentRecipient.deleteMany({ where: { customerId, sentMessageId: id } })
        await tx.mailSentRecipient.createMany({ data: recipients.map((row) => ({ ...row, customerId, sentMessageId: id })) })
        await told(tx, caller, folderName, written)
        return true
      }),

    /** To TRASH; a draft, and what is there, for good. @throws AppError MAIL_SENT_MESSAGE_STATE while it is being sent */
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
        await changeFolderCounts(tx, customerId, deltasOf(counted({ userId, folderName: message.folderName }), null))
      }),
  }
}

export type SentMessageRepository = ReturnType<typeof sentMessageRepository>
