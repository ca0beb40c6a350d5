import { publishAudit } from '@caseway/kit/audit'
import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { protocols } from '../mail-connections/mailbox-access.js'

/** Pauses the sending mailboxes of deactivated people: their queued messages wait. What they receive is the office's, and is still received. */
export const pauseMailboxesOf =
  (db: Db) =>
  (_tx: object, userIds: readonly Id[]): Promise<void> =>
    db.write(platform, async (tx) => {
      const paused = await tx.mailServer.updateManyAndReturn({
        where: { userId: { in: [...userIds] }, serverProtocol: protocols.smtp, state: { not: 'paused' } },
        data: { state: 'paused' },
        select: { id: true, customerId: true },
      })
      for (const { id, customerId } of paused)
        await publishAudit(tx, { kind: 'mail_server.paused', customerId, actor: null, subject: { kind: 'mail_server', id } })
    })
