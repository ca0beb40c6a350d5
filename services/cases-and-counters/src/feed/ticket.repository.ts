import type { Caller, Role } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'

interface TicketRow {
  customerId: bigint | null
  userId: bigint
  role: Role
  sessionId: string
}

export const ticketRepository = (db: Db) => ({
  async keep(hash: Uint8Array<ArrayBuffer>, { customerId, userId, role, sessionId }: Caller, lifetimeSeconds: number): Promise<void> {
    await db.write(
      platform,
      (tx) => tx.$executeRaw`
        INSERT INTO event_tickets (hash, customer_id, user_id, role, session_id, expires)
        VALUES (${hash}, ${customerId}, ${userId}, ${role}, ${sessionId}, now() + ${lifetimeSeconds}::int * interval '1 second')`,
    )
  },

  /** Redeems a ticket, once also for concurrent requests. @returns its holder; undefined if there is no such ticket */
  async take(hash: Uint8Array<ArrayBuffer>): Promise<TicketRow | undefined> {
    const rows = await db.write(
      platform,
      (tx) => tx.$queryRaw<TicketRow[]>`
        DELETE FROM event_tickets WHERE hash = ${hash} AND expires > now()
        RETURNING customer_id AS "customerId", user_id AS "userId", role, session_id AS "sessionId"`,
    )
    return rows[0]
  },
})

export type TicketRepository = ReturnType<typeof ticketRepository>
