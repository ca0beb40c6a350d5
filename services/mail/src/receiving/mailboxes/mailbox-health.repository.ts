import { publishAudit } from '@caseway/kit/audit'
import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { mailboxTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../../database.js'
import type { Failed } from '../../mail-connections/mail-connection-error.js'
import { healthy } from '../../mail-servers/mail-server.js'
import { pauseAfter, refusedAgain } from './back-off.js'

interface OfMailbox {
  readonly id: Id
  readonly customerId: Id
}

/** A prepared statement, because it runs every minute for each receiving mailbox. */
const wasReceived = prepared(
  (param: ParamOf<OfMailbox>) => sql`
    UPDATE mail_servers SET last_error = NULL, failures = 0, refused_logins = 0, refused_since = NULL, last_fetch_at = ${param(() => new Date())}
    WHERE id = ${param(({ id }) => id)} AND customer_id = ${param(({ customerId }) => customerId)}`,
)

/** Records whether mailboxes can be received and sent from. */
export const mailboxHealthRepository = (db: Db) => ({
  /** Records that everything was received. */
  async succeeded({ id, customerId }: OfMailbox): Promise<void> {
    await db.batch(office(customerId), wasReceived({ id, customerId }))
  },

  /** Records that sending works. */
  async works({ id, customerId }: OfMailbox): Promise<void> {
    const where = { id, customerId, lastError: { not: null } }
    await db.write(office(customerId), (tx) => tx.mailServer.updateMany({ where, data: healthy }))
  },

  /** Records a failure. @returns after how many milliseconds the mailbox is tried again; null when it is stopped because its login was refused too often, or was deleted */
  async failed({ id, customerId }: OfMailbox, lastError: Failed): Promise<number | null> {
    return db.write(office(customerId), async (tx) => {
      // A concurrent correction of the mailbox commits either before this or after it.
      await tx.$executeRaw`SELECT FROM mail_servers WHERE id = ${id} AND customer_id = ${customerId} FOR UPDATE`
      const where = { id, customerId }
      const found = await tx.mailServer.findFirst({ where })
      if (!found) return null
      const { stops, ...refusals } = lastError === 'auth' ? refusedAgain(found) : { stops: false }
      const failures = found.failures + 1
      await tx.mailServer.updateMany({ where, data: { lastError, failures, ...refusals } })
      if (stops) await stop(tx, { id, customerId })
      return stops ? null : pauseAfter(failures)
    })
  },
})

export type MailboxHealth = ReturnType<typeof mailboxHealthRepository>

/** Stops an active mailbox until its owner corrects it, and notifies the owner. One that was paused meanwhile stays paused. */
async function stop(tx: Tx, { id, customerId }: OfMailbox): Promise<void> {
  const where = { id, customerId, state: 'active' }
  const [stopped] = await tx.mailServer.updateManyAndReturn({ where, data: { state: 'auth_failed' } })
  if (!stopped) return
  const { userId, version } = stopped
  await outbox(tx, mailboxTopic, { id, customerId, userId, revision: BigInt(version) })
  await publishAudit(tx, { kind: 'mail_server.stopped', customerId, actor: null, subject: { kind: 'mail_server', id }, details: {} })
}
