import type { Tx } from '../database.js'
import type { MailboxGrants, MailboxOfPerson } from '../mail-grants/grant.js'
import { healthy } from './mail-server.js'

/** A server of a mailbox. */
interface Server extends MailboxOfPerson {
  readonly oauthProvider: string | null
}

/** The `last_error` of a mailbox to which its provider grants no access: its owner has to authorize it. */
export const notAuthorized = 'authorization'

/** How servers use the grant of their mailbox. */
export const grantUse = ({ lock, retire }: Pick<MailboxGrants<Tx>, 'lock' | 'retire'>) => ({
  /** Ends the grant of a mailbox that no server uses any more, in the transaction that has changed or deleted a server, which was `before`. */
  async endUnused(tx: Tx, before: Server): Promise<void> {
    const { customerId, userId, userEmail, oauthProvider } = before
    // Of two servers that are changed or deleted at the same time, the later one waits here, and then sees the earlier change.
    await lock(tx, before)
    const servers = await tx.mailServer.findMany({ where: { customerId, userId, userEmail }, select: { oauthProvider: true } })
    // A mailbox with a password may have begun an authorization.
    const isUsed = oauthProvider === null ? servers.length > 0 : servers.some((server) => server.oauthProvider !== null)
    if (!isUsed) await retire(tx, before)
  },

  /** The columns of a server that is created, corrected or resumed: without access only an authorization starts it. */
  async started(tx: Tx, server: Server) {
    const isOpen = server.oauthProvider === null || (await lock(tx, server)) === server.oauthProvider
    return isOpen ? { ...healthy, state: 'active' } : { ...healthy, state: 'auth_failed', lastError: notAuthorized }
  },
})

export type GrantUse = ReturnType<typeof grantUse>
