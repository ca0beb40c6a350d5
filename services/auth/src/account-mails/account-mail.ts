import type { Id } from '@caseway/kit/caller'
import { defineJob } from '@caseway/kit/jobs'
import type { Person } from '../accounts/account.js'
import { type LinkPurpose, type Login, lifetimesMs } from '../mailed-links/mailed-link.js'

/** What a mail is about. Those with a link by which somebody proves their address have its purpose. */
export const mailTopics = ['password_reset', 'invitation', 'office_invitation', 'email_confirmation', 'email_changed'] as const
export type MailTopic = (typeof mailTopics)[number]

export const isPurpose = (topic: MailTopic): topic is MailTopic & LinkPurpose => Object.hasOwn(lifetimesMs, topic)

/** How long it is tried to send a mail that has no such link. */
export const noticeMs = 24 * 3_600_000

/** A mail that was asked for, in the types of JSON. Whether there is anybody to send it to is found out when the job runs. */
export type AskedMail =
  /** Whoever signs in with the address that was entered. */
  | { readonly about: 'password_reset'; readonly kind: Person['kind']; readonly email: string }
  /** A person whom an office has entered. */
  | { readonly about: 'invitation'; readonly kind: Person['kind']; readonly id: string; readonly customerId: string }
  /** The address that a person wants, and the one that was theirs before. */
  | { readonly about: 'email_confirmation' | 'email_changed'; readonly kind: Person['kind']; readonly id: string; readonly email: string }

/**
 * The most tries whose outcome is not known, each of which may have sent the mail. Whatever is known to have failed is tried until the link
 * has expired.
 */
const uncertainTries = 12

export const accountMail = defineJob<AskedMail>({ name: 'auth.account-mail', retry: { tries: uncertainTries } })

export const languages = ['pl', 'en'] as const
export type Language = (typeof languages)[number]

/** Whom a mail is sent to, as the account is now. */
export interface Recipient {
  readonly person: Person
  readonly login: Login
  readonly active: boolean
  readonly office: Office
}

/** Of whom a mail speaks, and in which language. */
export interface Office {
  readonly id: Id | null
  /** Empty for a client without an office. */
  readonly name: string
  readonly language: Language
}

/** A mail to somebody who is there. */
export interface Draft {
  readonly topic: MailTopic
  readonly to: string
  readonly recipient: Recipient
  /** The address that its link confirms, where that is another than the one of the account. */
  readonly confirms?: string
}
