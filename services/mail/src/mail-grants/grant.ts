import type { Id } from '@caseway/kit/caller'

/** The servers of one person with one address are one mailbox: what gives access to it is for all of them. */
export interface MailboxOfPerson {
  readonly customerId: Id
  readonly userId: Id
  readonly userEmail: string
}

/** Tokens as they are held, readable. Never logged. */
export interface HeldTokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** What gives access to a mailbox. */
export interface Grant {
  readonly id: Id
  readonly customerId: Id
  readonly provider: string
  /** How often its tokens were replaced. */
  readonly revision: number
  readonly refreshAt: Date | null
  /** Null where the provider has refused them, or gave none yet. */
  readonly tokens: HeldTokens | null
}

/** What gave access to a mailbox that nobody opens by it any more. */
export interface RetiredGrant {
  readonly id: Id
  readonly customerId: Id
  readonly userEmail: string
  readonly provider: string
  /** Null where the provider has refused it meanwhile. */
  readonly refreshToken: string | null
}

/** A request for an authorization that was begun, and which waits for its code. */
export interface Begun {
  readonly provider: string
  readonly state: string
  readonly codeVerifier: string
  readonly redirectUri: string
  /** Whoever comes back does so in the session that began it. */
  readonly sessionId: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** RFC 6749 4.1.2 gives codes as long. */
export const begunMs = 600_000
