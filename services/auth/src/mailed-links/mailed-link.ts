import { createHash, randomBytes } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import type { LockedLogin, Person } from '../accounts/account.js'

/** What a person proves their address for. */
const linkPurposes = ['password_reset', 'invitation', 'email_confirmation'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

const hourMs = 3_600_000

/** How long the link of a mail is good. */
export const lifetimesMs: Readonly<Record<LinkPurpose, number>> = {
  password_reset: hourMs,
  invitation: 7 * 24 * hourMs,
  email_confirmation: 24 * hourMs,
}

/** What an account signs in with. */
export type Login = Pick<LockedLogin, 'email' | 'passwordHash'>

/** A link of a mail, as it is kept: of its token, the hash alone. */
export interface MailedLink {
  readonly hash: Buffer<ArrayBuffer>
  readonly purpose: LinkPurpose
  readonly person: Person
  /** The login as it was when the mail was asked for. After any change of it, by whomever, the link is good for nothing. */
  readonly login: Login
  /** The address that the link confirms, where it is another than that of the account. */
  readonly email: string | null
  /** The office that the mail names; null for a client without one. */
  readonly officeId: Id | null
}

/** From which, with the secret of the service, a token follows: a mail that is sent again has the same link. 128 random bits. */
export const newSeed = () => randomBytes(16).toString('base64url')

/** 128 bits of a keyed hash of the seed, in 22 characters. */
export const tokenOf = (digest: Buffer) => digest.subarray(0, 16).toString('base64url')

const sha256 = (text: string) => createHash('sha256').update(text).digest() as Buffer<ArrayBuffer>

export const hashOfToken = (token: string) => sha256(token)

export const stateOf = ({ email, passwordHash }: Login) => sha256(JSON.stringify([email.toLowerCase(), passwordHash]))

/** A link that was found by its token, and has not expired. */
export interface FoundLink extends Pick<MailedLink, 'hash' | 'person' | 'email' | 'officeId'> {
  readonly state: Uint8Array
}
