import { createHash } from 'node:crypto'
import type { Audience, Id } from '@caseway/kit/caller'
import { kindAt, type Person } from '../accounts/account.js'
import type { AskedMail, Draft } from './account-mail.js'
import type { AccountMailQueue } from './account-mail-queue.repository.js'
import type { RecipientRepository } from './recipient.repository.js'

/** Of an address, where it need not be read again. */
export const addressKey = (kind: Person['kind'], email: string) =>
  createHash('sha256').update(`${kind} ${email.toLowerCase()}`).digest('base64url')

/** The mails about accounts: who asks for them, and whom they are sent to. */
export const accountMailService = (queue: AccountMailQueue, recipients: RecipientRepository) => {
  /** Whoever has no password yet was invited, and asks for the invitation again. */
  const lostPassword = async (kind: Person['kind'], email: string): Promise<Draft | null> => {
    const recipient = await recipients.byLogin(kind, email)
    if (!recipient?.active) return null
    return { topic: recipient.login.passwordHash === null ? 'invitation' : 'password_reset', to: recipient.login.email, recipient }
  }

  /**
   * A client who has a password signs in with it, and accepts the invitation of one more office. Whom the office has banned meanwhile, or deals
   * with no more, is not invited.
   */
  const invitation = async (person: Person, customerId: Id): Promise<Draft | null> => {
    const [found, office, link] = await Promise.all([
      recipients.byId(person),
      recipients.officeOf(customerId),
      person.kind === 'client' ? recipients.linkOf(person.id, customerId) : undefined,
    ])
    if (!found?.active || link === null) return null
    const draft = { to: found.login.email, recipient: { ...found, office } }
    if (found.login.passwordHash === null) return { topic: 'invitation', ...draft }
    return link?.state === 'invited' ? { topic: 'office_invitation', ...draft } : null
  }

  /** To an address that is free now. Whose it is in the end is decided when it is confirmed. */
  const newAddress = async (person: Person, email: string): Promise<Draft | null> => {
    const [recipient, holder] = await Promise.all([recipients.byId(person), recipients.byLogin(person.kind, email)])
    const isFree = holder === null || holder.person.id === person.id
    if (!recipient?.active || !isFree || recipient.login.email === email) return null
    return { topic: 'email_confirmation', to: email, recipient, confirms: email }
  }

  const oldAddress = async (person: Person, email: string): Promise<Draft | null> => {
    const recipient = await recipients.byId(person)
    return recipient && recipient.login.email !== email ? { topic: 'email_changed', to: email, recipient } : null
  }

  return {
    /** Costs and answers the same whether there is such an account: that is found out when the mail is sent. */
    async resetPassword(audience: Audience, email: string): Promise<void> {
      const kind = kindAt[audience]
      await queue.add({ about: 'password_reset', kind, email }, `reset ${addressKey(kind, email)}`)
    },

    /** In the transaction in which an office enters somebody. */
    invite: ({ kind, id }: Person, customerId: Id): Promise<void> =>
      queue.add({ about: 'invitation', kind, id: String(id), customerId: String(customerId) }),

    /** In the transaction of the request. The address is theirs when they have confirmed it by the link. */
    confirmAddress: ({ kind, id }: Person, email: string): Promise<void> =>
      queue.add({ about: 'email_confirmation', kind, id: String(id), email }),

    /** In the transaction of the change: whoever reads the mails of the address that was theirs learns of it. */
    addressChanged: ({ kind, id }: Person, before: string): Promise<void> =>
      queue.add({ about: 'email_changed', kind, id: String(id), email: before }),

    forget: queue.forget,

    /** The mail that was asked for, as things are now; null when nobody is to get one. */
    draft(asked: AskedMail): Promise<Draft | null> {
      if (asked.about === 'password_reset') return lostPassword(asked.kind, asked.email)
      const person = { kind: asked.kind, id: BigInt(asked.id) }
      if (asked.about === 'invitation') return invitation(person, BigInt(asked.customerId))
      return asked.about === 'email_confirmation' ? newAddress(person, asked.email) : oldAddress(person, asked.email)
    },
  }
}

export type AccountMailService = ReturnType<typeof accountMailService>
