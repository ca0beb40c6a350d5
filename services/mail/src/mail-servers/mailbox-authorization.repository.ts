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

/** What `last_error` says of a mailbox to which its provider gives no access: a person has to agree again. */
export const notAuthorized = 'authorization'

/** Which mailboxes are opened by OAuth 2.0. */
export const mailboxAuthorizations = (db: Db, onChange: Changed) => {
  const audit = (tx: Tx, kind: string, { customerId, id }: Pick<Server, 'customerId' | 'id'>, actor: object) =>
    publishAudit(tx, { kind: `mail_server.${kind}`, customerId, ...actor, subject: { kind: 'mail_server', id }, details: {} })

  return {
    /**
     * This server, and those of the same mailbox that are opened by the same provider, start; one that is paused stays paused.
     * @param put writes the tokens
     */
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

    /** The provider gives no access: nothing is received or sent until somebody agrees again. The owner is told once. */
    stop: ({ customerId, userId, userEmail, id }: Server, provider: string): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        const where = { customerId, userId, userEmail, oauthProvider: provider, state: 'active' }
        const data = { state: 'auth_failed', lastError: notAuthorized }
        const stopped = await tx.mailServer.updateManyAndReturn({ where, data })
        const told = stopped.find((server) => server.id === id) ?? stopped[0]
        if (!told) return
        await outbox(tx, mailboxTopic, { id: told.id, customerId, userId, revision: BigInt(told.version) })
        for (const server of stopped) await audit(tx, 'stopped', server, { actor: null })
      }),
  }
}

export type MailboxAuthorizations = ReturnType<typeof mailboxAuthorizations>
