import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Session } from '../generated/client.js'
import { hashToken, type RefreshState } from './refresh-token.js'

export interface Presented extends RefreshState {
  readonly session: Session
}

export const tokenRepository = (db: Db) => {
  const row = async (token: string) => db.read(platform).refreshToken.findFirst({ where: { hash: hashToken(token) } })
  return {
    /** One transaction: the exchange of a token, with everything that follows from it. */
    exchanging: <T>(work: () => Promise<T>): Promise<T> => db.write(platform, () => work()),

    /** Its family stays locked until the transaction ends: who shows a token twice at once is judged one after the other. */
    present: (token: string, successor: string): Promise<Presented | null> =>
      db.write(platform, async (tx) => {
        await tx.$queryRaw`
          SELECT FROM sessions WHERE id = (SELECT session_id FROM refresh_tokens WHERE hash = ${hashToken(token)}) FOR UPDATE`
        const presented = await tx.refreshToken.findFirst({ where: { hash: hashToken(token) }, include: { session: true } })
        return presented && { ...presented, successorUsed: ((await row(successor))?.used ?? null) !== null }
      }),

    add: (token: string, sessionId: string, expires: Date) =>
      db.write(platform, (tx) => tx.refreshToken.create({ data: { hash: hashToken(token), sessionId, expires } })),

    /** The family lives as long as its newest token. */
    exchange: (token: string, successor: string, sessionId: string, now: Date, expires: Date): Promise<void> =>
      db.write(platform, async (tx) => {
        await tx.refreshToken.update({ where: { hash: hashToken(token) }, data: { used: now } })
        await tx.refreshToken.create({ data: { hash: hashToken(successor), sessionId, expires } })
        await tx.session.update({ where: { id: sessionId }, data: { expires } })
      }),
  }
}

export type TokenRepository = ReturnType<typeof tokenRepository>
