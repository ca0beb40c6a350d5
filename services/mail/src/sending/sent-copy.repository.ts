import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'

export interface DueCopy {
  readonly id: Id
  readonly messageId: string
  readonly blobKey: string
}

/** Sent messages whose copy is not yet stored on the server. */
export const sentCopyRepository = (db: Db) => ({
  async due(customerId: Id, mailServerId: Id): Promise<DueCopy[]> {
    const where = { customerId, mailServerId, copyDue: true }
    const select = { id: true, msgUniqueIdentifier: true, blobKey: true }
    const rows = await db.read(office(customerId)).mailSentMessage.findMany({ where, select, orderBy: { id: 'asc' } })
    return rows.flatMap(({ id, msgUniqueIdentifier: messageId, blobKey }) => (messageId && blobKey ? [{ id, messageId, blobKey }] : []))
  },

  async done(tx: Tx, customerId: Id, ids: readonly Id[]): Promise<void> {
    await tx.mailSentMessage.updateMany({ where: { customerId, id: { in: [...ids] } }, data: { copyDue: false } })
  },
})

export type SentCopyRepository = ReturnType<typeof sentCopyRepository>
