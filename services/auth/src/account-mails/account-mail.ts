import type { Id } from '@caseway/kit/caller'
import { defineJob } from '@caseway/kit/jobs'
import type { Person } from '../accounts/account.js'
import { type LinkPurpose, type Login, lifetimesMs } from '../mailed-links/mailed-link.js'

/** The topics of mails. Those whose link proves an address are named as the purpose of the link (`LinkPurpose`). */
export const mailTopics = ['password_reset', 'invitation', 'office_invitation', 'email_confirmation', 'email_changed'] as const
export type MailTopic = (typeof mailTopics)[number]

export const isPurpose = (topic: MailTopic): topic is MailTopic & LinkPurpose => Object.hasOwn(lifetimesMs, topic)

/** How long sending is retried for a mail without such a link, in milliseconds. */
export const noticeMs = 24 * 3_600_000

/** A requested mail, as the JSON payload of its job. Whether there is an account for it is only decided when the job runs. */
export type MailRequest =
  /** To the account that signs in with this address. */
  | { readonly about: 'password_reset'; readonly kind: Person['kind']; readonly email: string }
  /** To a person whom an office has entered. */
  | { readonly about: 'invitation'; readonly kind: Person['kind']; readonly id: string; readonly customerId: string }
  /** To the new address of a person (`email_confirmation`), or to the previous one (`email_changed`). */
  | { readonly about: 'email_confirmation' | 'email_changed'; readonly kind: Person['kind']; readonly id: string; readonly email: string }

/**
 * The maximum number of attempts with an unknown outcome, each of which may have sent the mail. Attempts that certainly failed do not count: they are
 * repeated until the link expires.
 */
const uncertainTries = 12

export const accountMail = defineJob<MailRequest>({ name: 'auth.account-mail', retry: { tries: uncertainTries } })

export const languages = ['pl', 'en'] as const
export type Language = (typeof languages)[number]

/** The recipient of a mail, from the present state of the account. */
export interface Recipient {
  readonly person: Person
  readonly login: Login
  readonly active: boolean
  readonly office: Office
}

/** The office that a mail names, and the language of the mail. */
export interface Office {
  readonly id: Id | null
  /** Empty for a client without an office. */
  readonly name: string
  readonly language: Language
}

/** A mail with a recipient, before its text is made. */
export interface Draft {
  readonly topic: MailTopic
  readonly to: string
  readonly recipient: Recipient
  /** The address that its link confirms, if it differs from the address of the account. */
  readonly confirms?: string
}
