import { createHash, randomBytes } from 'node:crypto'

/** How long the predecessor of a refresh token still gets the same successor: its answer may have been lost. */
const graceMs = 20_000

export const newRefreshToken = () => randomBytes(32).toString('base64url')

export const hashToken = (token: string) => createHash('sha256').update(token).digest()

export interface FamilySettings {
  /** How long a refresh token may go unused. */
  readonly refreshTokenMs: number
  /** How long a family lives, however often its token is refreshed. */
  readonly sessionMs: number
}

/** When a refresh token that is made now expires, in a family that began at `begun`. */
export const expiryOf = (now: Date, begun: Date, { refreshTokenMs, sessionMs }: FamilySettings): Date =>
  new Date(Math.min(Number(now) + refreshTokenMs, Number(begun) + sessionMs))

export interface RefreshState {
  readonly expires: Date
  /** When it was exchanged, if it was. */
  readonly used: Date | null
  /** Whether the token that it was exchanged for has been used as well. */
  readonly successorUsed: boolean
  readonly session: { readonly ended: Date | null; readonly expires: Date }
}

/** What becomes of a refresh token that is shown: exchanged, exchanged again for the same, refused, or refused with its whole family. */
export function classifyRefreshToken(
  { expires, used, successorUsed, session }: RefreshState,
  now: Date,
): 'exchange' | 'repeat' | 'refuse' | 'stolen' {
  if (session.ended || session.expires <= now || expires <= now) return 'refuse'
  if (!used) return 'exchange'
  return !successorUsed && Number(now) - Number(used) <= graceMs ? 'repeat' : 'stolen'
}
