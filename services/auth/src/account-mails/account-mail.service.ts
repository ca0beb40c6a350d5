import { createHash } from 'node:crypto'
import type { Audience, Id } from '@caseway/kit/caller'
import { kindAt, type Person } from '../accounts/account.js'
import type { Draft, MailRequest } from './account-mail.js'
import type { AccountMailQueue } from './account-mail-queue.repository.js'
import type { RecipientRepository } from './recipient.repository.js'

/** A hash of an address, for keys of jobs and limits, which must not contain addresses in plain text. */
export const addressKey = (kind: Person['kind'], email: string) =>
  createHash('sha256').update(`${kind} ${email.toLowerCase()}`).digest('base64url')

/** Enqueues the mails about accounts, and decides what is sent to whom when their job runs. */
export const accountMailService = (queue: AccountMailQueue, recipients: RecipientRepository) => {
  /** A reset for the account with this address. An account without a password gets its invitation again. */
  const lostPassword = async (kind: Person['kind'], email: string): Promise<Draft | null> => {
    const recipient = await recipients.byLogin(kind, email)
    if (!recipient?.active) return null
    return { topic: recipient.login.passwordHash === null ? 'invitation' : 'password_reset', to: recipient.login.email, recipient }
  }

  /**
   * The invitation to an office: a link to set the first password, or, for a client who has a password, a notice about one more office. Null if the office
   * has meanwhile banned the client or ended the link.
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

  /** The confirmation of a new address; null if somebody has it now. Whether it is still free is checked again when the link is opened. */
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
    /** Enqueues without looking for the account, so that neither time nor answer reveals whether there is one. */
    async resetPassword(audience: Audience, email: string): Promise<void> {
      const kind = kindAt[audience]
      await queue.add({ about: 'password_reset', kind, email }, `reset ${addressKey(kind, email)}`)
    },

    /** Invites a person; to be called in the transaction in which an office enters them. */
    invite: ({ kind, id }: Person, customerId: Id): Promise<void> =>
      queue.add({ about: 'invitation', kind, id: String(id), customerId: String(customerId) }),

    /** Mails a link to the new address; to be called in the transaction of the request. The account gets the address when the link is opened. */
    confirmAddress: ({ kind, id }: Person, email: string): Promise<void> =>
      queue.add({ about: 'email_confirmation', kind, id: String(id), email }),

    /** Notifies the previous address of an account that it was replaced; to be called in the transaction of the change. */
    addressChanged: ({ kind, id }: Person, before: string): Promise<void> =>
      queue.add({ about: 'email_changed', kind, id: String(id), email: before }),

    forget: queue.forget,

    /** The mail that was requested, by the present state of the account; null if none is to be sent. */
    draft(request: MailRequest): Promise<Draft | null> {
      if (request.about === 'password_reset') return lostPassword(request.kind, request.email)
      const person = { kind: request.kind, id: BigInt(request.id) }
      if (request.about === 'invitation') return invitation(person, BigInt(request.customerId))
      return request.about === 'email_confirmation' ? newAddress(person, request.email) : oldAddress(person, request.email)
    },
  }
}

export type AccountMailService = ReturnType<typeof accountMailService>
