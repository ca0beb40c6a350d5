import { publishAudit } from '@caseway/kit/audit'
import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { mailboxTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { Authorized, MailboxGrants, MailboxOfPerson } from '../mail-grants/grant.js'
import { type GrantUse, notAuthorized } from './grant-use.repository.js'
import { healthy } from './mail-server.js'
import type { Changed } from './mail-server.repository.js'

interface Server extends MailboxOfPerson {
  readonly id: Id
}

interface Parts {
  readonly onChange: Changed
  readonly grants: Pick<MailboxGrants<Tx>, 'lock' | 'put'>
  readonly grantUse: Pick<GrantUse, 'endUnused'>
}

/** A server as it is stored when its mailbox is connected. */
interface Endpoint {
  readonly serverAddress: string
  readonly serverEncryption: number
}

/** The use of OAuth 2.0 by mailboxes. */
export const mailboxAuthorizations = (db: Db, { onChange, grants, grantUse }: Parts) => {
  const audit = (tx: Tx, kind: string, { customerId, id }: Pick<Server, 'customerId' | 'id'>, actor: object) =>
    publishAudit(tx, { kind: `mail_server.${kind}`, customerId, ...actor, subject: { kind: 'mail_server', id }, details: {} })

  /** Locks the servers of a mailbox before its grant, as their changes and deletions do. */
  const lockServers = (tx: Tx, { customerId, userId, userEmail }: Server) =>
    tx.$queryRaw<(Endpoint & { readonly id: Id })[]>`
      SELECT id, server_address AS "serverAddress", server_encryption AS "serverEncryption" FROM mail_servers
      WHERE customer_id = ${customerId} AND user_id = ${userId} AND user_email = ${userEmail} ORDER BY id FOR UPDATE`

  return {
    /**
     * Stores the tokens, and starts this server and the servers of the same mailbox with the same provider; a paused one stays paused. Tokens that no
     * server uses are revoked.
     * @returns false where the server was deleted or changed meanwhile, so that the tokens are not for it
     */
    connect: (server: Server, { provider, tokens }: Authorized, isServed: (endpoint: Endpoint) => boolean): Promise<boolean> =>
      db.write(office(server.customerId), async (tx) => {
        const { customerId, userId, userEmail, id } = server
        const found = (await lockServers(tx, server)).find((one) => one.id === id)
        const isTheirs = found !== undefined && isServed(found)
        await grants.put(tx, server, provider, tokens)
        const own = isTheirs ? { OR: [{ id }, { oauthProvider: provider }] } : { oauthProvider: provider }
        const data = { ...healthy, oauthProvider: provider, password: null, userPassword: null }
        const where = { customerId, userId, userEmail, ...own }
        const connected = await tx.mailServer.updateManyAndReturn({ where, data })
        await tx.mailServer.updateMany({ where: { ...where, state: { not: 'paused' } }, data: { state: 'active' } })
        for (const one of connected) {
          await audit(tx, 'connected', one, {})
          await onChange(tx, one)
        }
        if (connected.length === 0) await grantUse.endUnused(tx, { ...server, oauthProvider: provider })
        return isTheirs
      }),

    /**
     * Stops the servers of the mailbox with this provider, which refuses access, until the owner authorizes again. The owner is notified once.
     * @param isServed whether the provider serves the server: then nothing is stopped where it was authorized again meanwhile
     */
    stop: (server: Server, provider: string, isServed: boolean): Promise<void> =>
      db.write(office(server.customerId), async (tx) => {
        const { customerId, userId, userEmail, id } = server
        await lockServers(tx, server)
        if ((await grants.lock(tx, server)) === provider && isServed) return
        const where = { customerId, userId, userEmail, oauthProvider: provider, state: 'active' }
        const data = { state: 'auth_failed', lastError: notAuthorized }
        const stopped = await tx.mailServer.updateManyAndReturn({ where, data })
        const notified = stopped.find((one) => one.id === id) ?? stopped[0]
        if (!notified) return
        await outbox(tx, mailboxTopic, { id: notified.id, customerId, userId, revision: BigInt(notified.version) })
        for (const one of stopped) await audit(tx, 'stopped', one, { actor: null })
      }),
  }
}

export type MailboxAuthorizations = ReturnType<typeof mailboxAuthorizations>
