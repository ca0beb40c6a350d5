import { publishAudit } from '@caseway/kit/audit'
import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { mailboxTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { MailboxOfPerson } from '../mail-grants/grant.js'
import { healthy } from './mail-server.js'
import type { Changed } from './mail-server.repository.js'

interface Server extends MailboxOfPerson {
  readonly id: Id
}

/** The `last_error` of a mailbox to which its provider refuses access: its owner has to authorize it again. */
export const notAuthorized = 'authorization'

/** The use of OAuth 2.0 by mailboxes. */
export const mailboxAuthorizations = (db: Db, onChange: Changed) => {
  const audit = (tx: Tx, kind: string, { customerId, id }: Pick<Server, 'customerId' | 'id'>, actor: object) =>
    publishAudit(tx, { kind: `mail_server.${kind}`, customerId, ...actor, subject: { kind: 'mail_server', id }, details: {} })

  return {
    /** Starts this server, and the servers of the same mailbox with the same provider; a paused one stays paused. @param put stores the tokens */
    connect: ({ customerId, userId, userEmail, id }: Server, provider: string, put: (tx: Tx) => Promise<void>): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        await put(tx)
        const own = { OR: [{ id }, { oauthProvider: provider }] }
        const data = { ...healthy, oauthProvider: provider, password: null, userPassword: null }
        const where = { customerId, userId, userEmail, ...own }
        const connected = await tx.mailServer.updateManyAndReturn({ where, data })
        await tx.mailServer.updateMany({ where: { ...where, state: { not: 'paused' } }, data: { state: 'active' } })
        for (const server of connected) {
          await audit(tx, 'connected', server, {})
          await onChange(tx, server)
        }
      }),

    /** Stops the servers of the mailbox with this provider, which refuses access, until the owner authorizes again. The owner is notified once. */
    stop: ({ customerId, userId, userEmail, id }: Server, provider: string): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        const where = { customerId, userId, userEmail, oauthProvider: provider, state: 'active' }
        const data = { state: 'auth_failed', lastError: notAuthorized }
        const stopped = await tx.mailServer.updateManyAndReturn({ where, data })
        const notified = stopped.find((server) => server.id === id) ?? stopped[0]
        if (!notified) return
        await outbox(tx, mailboxTopic, { id: notified.id, customerId, userId, revision: BigInt(notified.version) })
        for (const server of stopped) await audit(tx, 'stopped', server, { actor: null })
      }),
  }
}

export type MailboxAuthorizations = ReturnType<typeof mailboxAuthorizations>
