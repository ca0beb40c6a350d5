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

  /** A client who has a password signs in with it, and accepts the invitation of one more office. */
  const invitation = async (person: Person, customerId: Id): Promise<Draft | null> => {
    const [found, office] = await Promise.all([recipients.byId(person), recipients.officeOf(customerId)])
    if (!found?.active) return null
    const draft = { to: found.login.email, recipient: { ...found, office } }
    if (found.login.passwordHash === null) return { topic: 'invitation', ...draft }
    return person.kind === 'client' ? { topic: 'office_invitation', ...draft } : null
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

    /** The mail that was asked for, as things are now; null when nobody is to get one. */
    draft(asked: AskedMail): Promise<Draft | null> {
      if (asked.about === 'password_reset') return lostPassword(asked.kind, asked.email)
      return invitation({ kind: asked.kind, id: BigInt(asked.id) }, BigInt(asked.customerId))
    },
  }
}

export type AccountMailService = ReturnType<typeof accountMailService>
