import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Failed } from '../mail-connections/mail-connection-error.js'
import { pauseAfter, refusedAgain } from './back-off.js'

interface OfMailbox {
  readonly id: Id
  readonly customerId: Id
}

/** Whether mailboxes can be received. */
export const mailboxHealthRepository = (db: Db) => ({
  /** Everything was received. */
  async succeeded({ id, customerId }: OfMailbox): Promise<void> {
    const healthy = { lastError: null, failures: 0, refusedLogins: 0, refusedSince: null, lastFetchAt: new Date() }
    await db.write(office(customerId), (tx) => tx.mailServer.updateMany({ where: { id, customerId }, data: healthy }))
  },

  /** @returns when it is tried again; null when it is stopped, because its login was refused too often */
  async failed({ id, customerId }: OfMailbox, lastError: Failed): Promise<Date | null> {
    return db.write(office(customerId), async (tx) => {
      const where = { id, customerId }
      const found = await tx.mailServer.findFirst({ where })
      if (!found) return null
      const { stops, ...refusals } = lastError === 'auth' ? refusedAgain(found) : { stops: false }
      const failures = found.failures + 1
      await tx.mailServer.updateMany({ where, data: { lastError, failures, ...refusals, ...(stops && { state: 'auth_failed' }) } })
      return stops ? null : new Date(Date.now() + pauseAfter(failures))
    })
  },
})

export type MailboxHealth = ReturnType<typeof mailboxHealthRepository>
