import type { Audience, Id, Subject } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { outboxAll } from '@caseway/kit/events'
import { sessionTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'

export interface NewSession {
  readonly id: string
  readonly audience: Audience
  readonly subject: Subject
  readonly applicationId: Id
  readonly expires: Date
}

type Ended = { id: string } | { kind: Subject['kind']; userId: Id; id?: { not: string } } | { applicationId: Id }

/** Offices are closed one after the other. */
const closingLock = 727_002

/** Families of tokens belong to people of all offices: the platform keeps them. */
export const sessionRepository = (db: Db, accessTokenMs: number) => {
  /** Whoever refuses the sessions' tokens may forget them when the last of these has expired. */
  const publish = (tx: Tx, sessions: readonly { id: string }[], ended: Date) => {
    const endsAt = new Date(ended.getTime() + accessTokenMs)
    const events = sessions.map(({ id }) => ({ sessionId: id, change: { $case: 'ended', value: { endsAt } } }) as const)
    return outboxAll(tx, sessionTopic, events)
  }

  const end = (condition: Ended): Promise<number> =>
    db.write(platform, async (tx) => {
      const ended = new Date()
      const sessions = await tx.session.updateManyAndReturn({ where: { ...condition, ended: null }, data: { ended }, select: { id: true } })
      await publish(tx, sessions, ended)
      return sessions.length
    })

  return {
    create: ({ subject: { kind, id: userId }, ...session }: NewSession) =>
      db.write(platform, (tx) => tx.session.create({ data: { ...session, kind, userId } })),

    /** @returns false when it had ended already */
    end: async (id: string): Promise<boolean> => (await end({ id })) === 1,

    /**
     * @param except the id of a session that stays
     * @returns how many have ended
     */
    endAll: ({ kind, id: userId }: Subject, except?: string) => end({ kind, userId, ...(except && { id: { not: except } }) }),

    /**
     * Every session of whoever signed in with the application.
     * @returns how many have ended
     */
    endOfApplication: (applicationId: Id) => end({ applicationId }),

    /** Every session of the people who have the role, in one statement. */
    endOfRole: (userRoleId: Id): Promise<void> =>
      db.write(platform, async (tx) => {
        const ended = new Date()
        const sessions = await tx.$queryRaw<{ id: string }[]>`
          UPDATE sessions SET ended = ${ended} FROM users
          WHERE users.user_role_id = ${userRoleId} AND kind = 'employee' AND user_id = users.id AND ended IS NULL
          RETURNING sessions.id`
        await publish(tx, sessions, ended)
      }),

    /** Every session of the office's employees, and of clients who were never linked with an office that is open. */
    endOfOffice: (customerId: Id): Promise<void> =>
      db.write(platform, async (tx) => {
        const ended = new Date()
        // Two offices that are closed at the same time would each take the other one for open.
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${closingLock})`
        const sessions = await tx.$queryRaw<{ id: string }[]>`
          UPDATE sessions SET ended = ${ended} FROM users
          WHERE users.customer_id = ${customerId} AND kind = 'employee' AND user_id = users.id AND ended IS NULL
          RETURNING sessions.id`
        const ofClients = await tx.$queryRaw<{ id: string }[]>`
          UPDATE sessions SET ended = ${ended} FROM client_links own
          WHERE own.customer_id = ${customerId} AND kind = 'client' AND user_id = own.user_client_id AND ended IS NULL AND NOT EXISTS (
            SELECT FROM client_links other JOIN customers open ON open.id = other.customer_id AND open.deletes_at IS NULL
            WHERE other.user_client_id = own.user_client_id)
          RETURNING sessions.id`
        await publish(tx, [...sessions, ...ofClients], ended)
      }),

    /** Those of which an access token may still be good, by their ids. */
    async ended(after: string, limit: number) {
      const since = new Date(Date.now() - accessTokenMs)
      const sessions = await db.read(platform).session.findMany({
        where: { ended: { gt: since }, ...(after && { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take: limit,
        select: { id: true, ended: true },
      })
      return sessions.map(({ id, ended }) => ({ sessionId: id, endsAt: new Date((ended as Date).getTime() + accessTokenMs) }))
    },
  }
}

export type SessionRepository = ReturnType<typeof sessionRepository>
