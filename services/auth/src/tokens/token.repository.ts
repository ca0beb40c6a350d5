import type { Audience, Id, Subject } from '@caseway/kit/caller'
import { platform, statements } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { hashToken, type RefreshState } from './refresh-token.js'

/** A presented refresh token with its family and its successor, read in one snapshot. */
export interface Presented extends RefreshState {
  readonly session: RefreshState['session'] & {
    readonly id: string
    readonly audience: Audience
    readonly subject: Subject
    readonly applicationId: Id
    readonly created: Date
  }
  /** Its successor, if it was exchanged; undefined if that is none of the possible ones. */
  readonly successor: string | undefined
}

interface Tables {
  refresh_tokens: { hash: Buffer; session_id: string; expires: Date; used: Date | null }
  sessions: {
    id: string
    audience: string
    kind: string | null
    user_id: Id
    application_id: Id
    created: Date
    expires: Date
    ended: Date | null
  }
  applications: { id: Id }
}

const withSessions = (hashes: readonly Buffer[]) =>
  statements<Tables>()
    .selectFrom('refresh_tokens as token')
    .innerJoin('sessions as session', 'session.id', 'token.session_id')
    // The inner join excludes sessions whose application was deleted while they began.
    .innerJoin('applications as application', 'application.id', 'session.application_id')
    .select(['token.hash', 'token.expires as tokenExpires', 'token.used', 'session.id', 'session.audience', 'session.kind'])
    .select(['session.user_id', 'session.application_id', 'session.created', 'session.expires', 'session.ended'])
    .where('token.hash', 'in', hashes)
    .compile()

export const tokenRepository = (db: Db) => ({
  /** One transaction for a new family and what belongs to it. */
  beginning: <T>(work: () => Promise<T>): Promise<T> => db.write(platform, () => work()),

  /**
   * Reads a token in one statement, without locks. Null if there is none.
   * @param successors the tokens that may be its successor, one for each secret
   */
  async present(token: string, successors: readonly string[]): Promise<Presented | null> {
    const hashes = [token, ...successors].map(hashToken)
    const rows = await db.query(platform, withSessions(hashes))
    const rowOf = (hash: Buffer | undefined) => rows.find((row) => hash && row.hash.equals(hash))
    const shown = rowOf(hashes[0])
    if (!shown) return null
    const next = hashes.slice(1).findIndex((hash) => rowOf(hash))
    const { id, created, expires, ended } = shown
    const audience = shown.audience as Audience
    const kind = (shown.kind ?? (audience === 'client' ? 'client' : 'employee')) as Subject['kind']
    return {
      expires: shown.tokenExpires,
      used: shown.used,
      successorUsed: (rowOf(hashes[next + 1])?.used ?? null) !== null && next >= 0,
      session: { id, audience, subject: { kind, id: shown.user_id }, applicationId: shown.application_id, created, expires, ended },
      successor: successors[next],
    }
  },

  add: (token: string, sessionId: string, expires: Date) =>
    db.write(platform, (tx) => tx.refreshToken.create({ data: { hash: hashToken(token), sessionId, expires } })),

  /**
   * Exchanges a token for its successor, and extends the family.
   * @returns false when a concurrent request was first, or the family has ended
   */
  exchange: (token: string, successor: string, { id }: { id: string }, now: Date, expires: Date): Promise<boolean> =>
    db.write(platform, async (tx) => {
      const marked = await tx.refreshToken.updateMany({ where: { hash: hashToken(token), used: null }, data: { used: now } })
      if (marked.count === 0) return false
      const lives = await tx.session.updateMany({ where: { id, ended: null }, data: { expires } })
      if (lives.count === 0) return false
      await tx.refreshToken.create({ data: { hash: hashToken(successor), sessionId: id, expires } })
      return true
    }),
})

export type TokenRepository = ReturnType<typeof tokenRepository>
