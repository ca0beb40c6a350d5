import { createHash } from 'node:crypto'
import type { Audience } from '@caseway/kit/caller'
import { kindAt, type Person } from '../accounts/account.js'
import type { AskedMail, Draft } from './account-mail.js'
import type { AccountMailQueue } from './account-mail-queue.repository.js'
import type { RecipientRepository } from './recipient.repository.js'

/** Of an address, where it need not be read again. */
export const addressKey = (kind: Person['kind'], email: string) =>
  createHash('sha256').update(`${kind} ${email.toLowerCase()}`).digest('base64url')

/** The mails about accounts: who asks for them, and whom they are sent to. */
export const accountMailService = (queue: AccountMailQueue, recipients: RecipientRepository) => ({
  /** Costs and answers the same whether there is such an account: that is found out when the mail is sent. */
  async resetPassword(audience: Audience, email: string): Promise<void> {
    const kind = kindAt[audience]
    await queue.add({ about: 'password_reset', kind, email }, `reset ${addressKey(kind, email)}`)
  },

  /** The mail that was asked for, as things are now; null when nobody is to get one. */
  async draft(asked: AskedMail): Promise<Draft | null> {
    const recipient = await recipients.byLogin(asked.kind, asked.email)
    if (!recipient?.active) return null
    // Whoever has no password yet was invited, and asks for the invitation again.
    const topic = recipient.login.passwordHash === null ? 'invitation' : 'password_reset'
    return { topic, to: recipient.login.email, recipient }
  },
})

export type AccountMailService = ReturnType<typeof accountMailService>
