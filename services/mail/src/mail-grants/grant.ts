import type { Id } from '@caseway/kit/caller'
import type { Tokens } from '@caseway/kit/oauth'

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

/** The tokens of an authorization, and the name of their provider. */
export interface Authorized {
  readonly provider: string
  readonly tokens: Tokens & { readonly refreshToken: string }
}

/** The grants of mailboxes, in the transaction that changes the servers which use them. */
export interface MailboxGrants<Tx> {
  /** Locks the grant of a mailbox. @returns the provider whose tokens it has; null where it has none */
  lock(tx: Tx, mailbox: MailboxOfPerson): Promise<string | null>
  /** Stores the tokens of a new authorization. */
  put(tx: Tx, mailbox: MailboxOfPerson, provider: string, tokens: Authorized['tokens']): Promise<void>
  /** Ends the use of the tokens for the mailbox. */
  retire(tx: Tx, mailbox: MailboxOfPerson): Promise<void>
}
