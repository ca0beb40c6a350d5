import type { Tx } from '../database.js'
import type { MailboxOfPerson } from '../mail-grants/grant.js'
import type { GrantService } from '../mail-grants/grant.service.js'

/** A server of a mailbox before it was changed or deleted. */
interface Before extends MailboxOfPerson {
  readonly oauthProvider: string | null
}

/** Ends the grant of a mailbox that no server uses any more, in the transaction that has changed or deleted one of its servers. */
export type EndUnusedGrant = (tx: Tx, before: Before) => Promise<void>

export const endUnusedGrant =
  ({ lock, retire }: Pick<GrantService, 'lock' | 'retire'>): EndUnusedGrant =>
  async (tx, before) => {
    const { customerId, userId, userEmail, oauthProvider } = before
    // Of two servers that are changed or deleted at the same time, the later one waits here, and then sees the earlier change.
    await lock(tx, before)
    const servers = await tx.mailServer.findMany({ where: { customerId, userId, userEmail }, select: { oauthProvider: true } })
    // A mailbox with a password may have begun an authorization.
    const isUsed = oauthProvider === null ? servers.length > 0 : servers.some((server) => server.oauthProvider !== null)
    if (!isUsed) await retire(tx, before)
  }
