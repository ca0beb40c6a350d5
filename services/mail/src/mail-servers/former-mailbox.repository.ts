import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import { receives } from '../mail-connections/mailbox-access.js'

/** A mailbox that is created again is recognised by its owner and its address. */
interface MailboxKey {
  readonly customerId: Id
  readonly userId: Id
  readonly userEmail: string
  readonly serverProtocol: number
}

/** Remembers a deleted mailbox that has received messages, even if it is one that sends now. */
export async function keepFormer(tx: Tx, mailbox: MailboxKey & { readonly id: Id; readonly version: number }): Promise<void> {
  const { id, customerId, userId, userEmail, version: lastVersion } = mailbox
  const hasReceived = () => tx.mailReceivedMessage.findFirst({ where: { customerId, mailServerId: id }, select: { id: true } })
  if (receives(mailbox.serverProtocol) || (await hasReceived()))
    await tx.formerMailbox.create({ data: { id, customerId, userId, userEmail, lastVersion } })
}

/**
 * Takes the newest deleted mailbox that matches a new one, and returns its id and version, which the new one continues: its messages belong to it
 * again, and are not stored a second time. Null where there is none.
 */
export async function takeFormer(tx: Tx, { customerId, userId, userEmail, serverProtocol }: MailboxKey) {
  if (!receives(serverProtocol)) return null
  const [taken] = await tx.$queryRaw<{ id: Id; lastVersion: number }[]>`
    DELETE FROM former_mailboxes WHERE id = (
      SELECT id FROM former_mailboxes
      WHERE customer_id = ${customerId} AND user_id = ${userId} AND lower(user_email) = lower(${userEmail})
      ORDER BY id DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, last_version AS "lastVersion"`
  return taken ?? null
}
