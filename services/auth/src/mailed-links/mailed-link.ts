import { createHash, randomBytes } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import type { LockedLogin, Person } from '../accounts/account.js'

/** What a link allows its holder to do. */
const linkPurposes = ['password_reset', 'invitation', 'email_confirmation'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

const hourMs = 3_600_000

/** The lifetime of a link, in milliseconds. */
export const lifetimesMs: Readonly<Record<LinkPurpose, number>> = {
  password_reset: hourMs,
  invitation: 7 * 24 * hourMs,
  email_confirmation: 24 * hourMs,
}

/** The credentials of an account. */
export type Login = Pick<LockedLogin, 'email' | 'passwordHash'>

/** A link as it is stored: only the hash of its token is kept. */
export interface MailedLink {
  readonly hash: Buffer<ArrayBuffer>
  readonly purpose: LinkPurpose
  readonly person: Person
  /** The login at the time when the link was issued. Any later change of it invalidates the link. */
  readonly login: Login
  /** The address that the link confirms, if it differs from the address of the account. */
  readonly email: string | null
  /** The office that the mail names; null for a client without one. */
  readonly officeId: Id | null
}

/** 128 random bits. The token is derived from them and the secret of the service, so that a mail that is sent again contains the same link. */
export const newSeed = () => randomBytes(16).toString('base64url')

/** The token: 128 bits of a keyed hash of the seed, in 22 characters. */
export const tokenOf = (digest: Buffer) => digest.subarray(0, 16).toString('base64url')

const sha256 = (text: string) => createHash('sha256').update(text).digest() as Buffer<ArrayBuffer>

export const hashOfToken = (token: string) => sha256(token)

export const stateOf = ({ email, passwordHash }: Login) => sha256(JSON.stringify([email.toLowerCase(), passwordHash]))

/** A link that was found by its token and has not expired. `state` is the hash of the login for which it was issued (`stateOf`). */
export interface FoundLink extends Pick<MailedLink, 'hash' | 'person' | 'email' | 'officeId'> {
  readonly state: Uint8Array
}
