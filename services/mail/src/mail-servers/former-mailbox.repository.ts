import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import { receives } from '../mail-connections/mailbox-access.js'

/** What makes a mailbox the one of before: its owner and its address. */
interface Owned {
  readonly customerId: Id
  readonly userId: Id
  readonly userEmail: string
  readonly serverProtocol: number
}

/** Remembers a mailbox that is deleted, where messages came through it: also of one that sends now, and has received. */
export async function keepFormer(tx: Tx, mailbox: Owned & { readonly id: Id; readonly version: number }): Promise<void> {
  const { id, customerId, userId, userEmail, version: lastVersion } = mailbox
  const hasReceived = () => tx.mailReceivedMessage.findFirst({ where: { customerId, mailServerId: id }, select: { id: true } })
  if (receives(mailbox.serverProtocol) || (await hasReceived()))
    await tx.formerMailbox.create({ data: { id, customerId, userId, userEmail, lastVersion } })
}

/**
 * The deleted mailbox that is entered again, the newest where there are more: it is one once. What came through it is known by its id, so that nothing of it comes a
 * second time, and belongs to it as before. Null where there is none.
 */
export async function takeFormer(tx: Tx, { customerId, userId, userEmail, serverProtocol }: Owned) {
  if (!receives(serverProtocol)) return null
  const [taken] = await tx.$queryRaw<{ id: Id; lastVersion: number }[]>`
    DELETE FROM former_mailboxes WHERE id = (
      SELECT id FROM former_mailboxes
      WHERE customer_id = ${customerId} AND user_id = ${userId} AND lower(user_email) = lower(${userEmail})
      ORDER BY id DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, last_version AS "lastVersion"`
  return taken ?? null
}
