import { publishAudit } from '@caseway/kit/audit'
import type { Id } from '@caseway/kit/caller'
import { office, platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { MailQueue } from '../mail-connections/mail-queue.js'
import { protocolName, receives } from '../mail-connections/mailbox-access.js'
import type { GrantUse } from './grant-use.repository.js'
import type { Changed } from './mail-server.repository.js'

interface Parts {
  readonly onChange: Changed
  readonly queue: Pick<MailQueue, 'resync' | 'replay'>
  readonly grantUse: Pick<GrantUse, 'started'>
}

/** The mailboxes of all offices, for operators: their servers and states, not their messages. */
export const mailboxAdministration = (db: Db, { onChange, queue, grantUse }: Parts) => {
  const find = (id: Id) => db.read(platform).mailServer.findFirst({ where: { id }, select: { customerId: true, serverProtocol: true } })

  const audit = { actor: 'command line', details: {} } as const

  return {
    /** The states of mailboxes, those with the most failures first. */
    async states(limit: number) {
      const found = await db.read(platform).mailServer.findMany({
        select: {
          ...{ id: true, customerId: true, serverProtocol: true, serverAddress: true },
          ...{ state: true, lastError: true, failures: true, lastFetchAt: true },
        },
        orderBy: [{ failures: 'desc' }, { id: 'asc' }],
        take: limit,
      })
      return found.map(({ serverProtocol, ...mailbox }) => ({ ...mailbox, protocol: protocolName(serverProtocol) }))
    },

    /** Pauses a mailbox. @returns false where there is none with this id */
    async pause(id: Id): Promise<boolean> {
      const found = await find(id)
      if (!found) return false
      const { customerId } = found
      await db.write(office(customerId), async (tx) => {
        await tx.mailServer.updateMany({ where: { id, customerId }, data: { state: 'paused' } })
        await publishAudit(tx, { ...audit, kind: 'mail_server.paused', customerId, subject: { kind: 'mail_server', id } })
      })
      return true
    },

    /**
     * Resumes a mailbox that is paused or was stopped. One to which its provider grants no access waits for an authorization by its owner.
     * @returns false where there is none with this id
     */
    async resume(id: Id): Promise<boolean> {
      const found = await find(id)
      if (!found) return false
      const { customerId } = found
      return db.write(office(customerId), async (tx) => {
        await tx.$executeRaw`SELECT FROM mail_servers WHERE id = ${id} AND customer_id = ${customerId} FOR UPDATE`
        const server = await tx.mailServer.findFirst({ where: { id, customerId } })
        if (!server) return false
        await tx.mailServer.updateMany({ where: { id, customerId }, data: await grantUse.started(tx, server) })
        await publishAudit(tx, { ...audit, kind: 'mail_server.resumed', customerId, subject: { kind: 'mail_server', id } })
        await onChange(tx, server)
        return true
      })
    },

    /**
     * Compares all folders with the server again; a mailbox that is paused or was stopped, when it is resumed.
     * @returns false where no mailbox with this id receives
     */
    async resync(id: Id): Promise<boolean> {
      const found = await find(id)
      if (!found || !receives(found.serverProtocol)) return false
      const { customerId } = found
      await db.write(office(customerId), async (tx) => {
        await queue.resync(tx, customerId, id)
        await publishAudit(tx, { ...audit, kind: 'mail_server.resynced', customerId, subject: { kind: 'mail_server', id } })
      })
      return true
    },

    /** The messages that could not be fetched or stored, the next to be retried first. @returns undefined where no mailbox with this id receives */
    async failures(id: Id, limit: number) {
      const found = await find(id)
      if (!found || !receives(found.serverProtocol)) return undefined
      const { customerId } = found
      const failures = await db.read(office(customerId)).ingestFailure.findMany({
        where: { customerId, mailServerId: id },
        select: { epoch: true, uid: true, uidl: true, error: true, tries: true, nextTry: true, created: true, remoteFolder: true },
        ...{ orderBy: [{ nextTry: 'asc' }, { id: 'asc' }], take: limit },
      })
      return failures.map(({ remoteFolder, ...failure }) => ({ ...failure, folder: remoteFolder.path }))
    },

    /**
     * Retries these messages now; in a mailbox that is paused or was stopped, when it is resumed.
     * @returns their number; undefined where no mailbox with this id receives
     */
    async replay(id: Id): Promise<number | undefined> {
      const found = await find(id)
      if (!found || !receives(found.serverProtocol)) return undefined
      const { customerId } = found
      return db.write(office(customerId), async (tx) => {
        const count = await queue.replay(tx, customerId, id)
        await publishAudit(tx, { ...audit, kind: 'mail_server.replayed', customerId, subject: { kind: 'mail_server', id } })
        return count
      })
    },
  }
}
