import type { Id } from '@caseway/kit/caller'

/** The servers of one person with one address share one mailbox, and one grant. */
export interface MailboxOfPerson {
  readonly customerId: Id
  readonly userId: Id
  readonly userEmail: string
}

/** Decrypted tokens. Never logged. */
export interface HeldTokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The OAuth tokens of a mailbox. */
export interface Grant {
  readonly id: Id
  readonly customerId: Id
  readonly provider: string
  /** Incremented when the tokens are replaced. */
  readonly revision: number
  readonly refreshAt: Date | null
  /** Null where the provider has refused them, or has not issued any yet. */
  readonly tokens: HeldTokens | null
}

/** A grant that no mailbox uses any more, and that is to be revoked. */
export interface RetiredGrant {
  readonly id: Id
  readonly customerId: Id
  readonly userEmail: string
  readonly provider: string
  /** Null where the provider has refused it meanwhile. */
  readonly refreshToken: string | null
}

/** An authorization that was begun and waits for its code. */
export interface Begun {
  readonly provider: string
  readonly state: string
  readonly codeVerifier: string
  readonly redirectUri: string
  /** The answer of the provider is accepted only in the session that began it. */
  readonly sessionId: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** For how long an authorization may be completed, in milliseconds: the recommended lifetime of a code (RFC 6749, 4.1.2). */
export const begunMs = 600_000
