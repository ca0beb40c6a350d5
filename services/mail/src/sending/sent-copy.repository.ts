import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'

export interface DueCopy {
  readonly id: Id
  readonly messageId: string
  readonly blobKey: string
}

const hourMs = 3_600_000

/** How long after a failure a copy is tried again, in milliseconds. */
export const copyAgainMs = hourMs

/** How long after the message was sent its copy is tried, in milliseconds. */
const triedForMs = 24 * hourMs

const ago = (ms: number) => new Date(Date.now() - ms)

/** Part of every update here, because with it the update does not change the version of the message, which nobody would be shown. */
const tried = () => ({ copyTriedAt: new Date() })

/** Sent messages whose copy is not yet stored on the server. */
export const sentCopyRepository = (db: Db) => ({
  async due(customerId: Id, mailServerId: Id): Promise<DueCopy[]> {
    const isNow = [{ copyTriedAt: null }, { copyTriedAt: { lte: ago(copyAgainMs) } }]
    const where = { customerId, mailServerId, copyDue: true, OR: isNow }
    const select = { id: true, msgUniqueIdentifier: true, blobKey: true }
    const rows = await db.read(office(customerId)).mailSentMessage.findMany({ where, select, orderBy: { id: 'asc' } })
    return rows.flatMap(({ id, msgUniqueIdentifier: messageId, blobKey }) => (messageId && blobKey ? [{ id, messageId, blobKey }] : []))
  },

  /** Whether any copy is still to be stored, now or later. */
  async areLeft(tx: Tx, customerId: Id, mailServerId: Id): Promise<boolean> {
    return (await tx.mailSentMessage.findFirst({ where: { customerId, mailServerId, copyDue: true }, select: { id: true } })) !== null
  },

  /** Records that a copy could not be appended. It is tried again later, unless the message was sent too long ago. */
  async failed(tx: Tx, customerId: Id, id: Id): Promise<void> {
    const isOver = { sentAt: { lt: ago(triedForMs) } }
    await tx.mailSentMessage.updateMany({ where: { customerId, id, ...isOver }, data: { ...tried(), copyDue: false } })
    await tx.mailSentMessage.updateMany({ where: { customerId, id, copyDue: true }, data: tried() })
  },

  async done(tx: Tx, customerId: Id, ids: readonly Id[]): Promise<void> {
    await tx.mailSentMessage.updateMany({ where: { customerId, id: { in: [...ids] } }, data: { ...tried(), copyDue: false } })
  },
})

export type SentCopyRepository = ReturnType<typeof sentCopyRepository>
