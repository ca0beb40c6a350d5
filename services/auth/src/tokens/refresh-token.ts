import { createHash, randomBytes } from 'node:crypto'

/** How long a used refresh token still gets its successor again, in milliseconds: the first answer may have been lost. */
const graceMs = 20_000

export const newRefreshToken = () => randomBytes(32).toString('base64url')

export const hashToken = (token: string) => createHash('sha256').update(token).digest()

export interface FamilySettings {
  /** How long a refresh token may remain unused, in milliseconds. */
  readonly refreshTokenMs: number
  /** How long a family lives, however often its token is refreshed, in milliseconds. */
  readonly sessionMs: number
}

/** The expiry of a refresh token that is issued at `now`, in a family that began at `begun`. */
export const expiryOf = (now: Date, begun: Date, { refreshTokenMs, sessionMs }: FamilySettings): Date =>
  new Date(Math.min(Number(now) + refreshTokenMs, Number(begun) + sessionMs))

export interface RefreshState {
  readonly expires: Date
  /** When it was exchanged; null if it was not. */
  readonly used: Date | null
  /** Whether its successor was used as well. */
  readonly successorUsed: boolean
  readonly session: { readonly ended: Date | null; readonly expires: Date }
}

/** What to do with a presented refresh token: exchange it, repeat its successor, refuse it, or refuse it and end its family. */
export function classifyRefreshToken(
  { expires, used, successorUsed, session }: RefreshState,
  now: Date,
): 'exchange' | 'repeat' | 'refuse' | 'stolen' {
  if (session.ended || session.expires <= now || expires <= now) return 'refuse'
  if (!used) return 'exchange'
  return !successorUsed && Number(now) - Number(used) <= graceMs ? 'repeat' : 'stolen'
}
