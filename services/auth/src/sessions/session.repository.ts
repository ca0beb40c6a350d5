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

/** Advisory lock: offices are closed one after the other. */
const closingLock = 727_002

/** Reads and writes in the scope of the platform, because sessions belong to people of all offices. */
export const sessionRepository = (db: Db, accessTokenMs: number) => {
  /** Publishes the end of sessions. Consumers may forget it at `endsAt`, when the last access token has expired. */
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

    /** Ends a session. @returns false when it had ended already */
    end: async (id: string): Promise<boolean> => (await end({ id })) === 1,

    /**
     * Ends all sessions of a subject.
     * @param except the id of a session that stays
     * @returns how many have ended
     */
    endAll: ({ kind, id: userId }: Subject, except?: string) => end({ kind, userId, ...(except && { id: { not: except } }) }),

    /** Ends the sessions that were begun with the application. @returns how many have ended */
    endOfApplication: (applicationId: Id) => end({ applicationId }),

    /** Ends the sessions of everybody who has the role, in one statement. */
    endOfRole: (userRoleId: Id): Promise<void> =>
      db.write(platform, async (tx) => {
        const ended = new Date()
        const sessions = await tx.$queryRaw<{ id: string }[]>`
          UPDATE sessions SET ended = ${ended} FROM users
          WHERE users.user_role_id = ${userRoleId} AND kind = 'employee' AND user_id = users.id AND ended IS NULL
          RETURNING sessions.id`
        await publish(tx, sessions, ended)
      }),

    /** Ends the sessions of the office's employees, and of its clients whose other offices are all closed. */
    endOfOffice: (customerId: Id): Promise<void> =>
      db.write(platform, async (tx) => {
        const ended = new Date()
        // Without the lock, two offices that are closed at the same time would each see the other one as open.
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

    /** A page of the ended sessions whose access tokens may be unexpired, in the order of their ids. */
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
