import type { Audience } from '@caseway/kit/caller'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { ClientService } from '../clients/client.service.js'
import { type LoginFailures, signInName } from '../limits/login-failures.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { SessionService } from '../sessions/session.service.js'
import type { UserService } from '../users/user.service.js'
import type { FoundLink, LinkPurpose } from './mailed-link.js'
import type { MailedLinkService } from './mailed-link.service.js'

export interface Effects {
  readonly accounts: Pick<AccountService, 'replacePassword'>
  readonly users: Pick<UserService, 'setAddress'>
  readonly clients: Pick<ClientService, 'setAddress' | 'acceptInvitation'>
  readonly sessions: Pick<SessionService, 'endAll'>
  readonly mails: Pick<AccountMailService, 'addressChanged'>
  readonly hasher: Pick<PasswordHasher, 'hash'>
  readonly failures: Pick<LoginFailures, 'forget'>
  readonly audit: Audit
}

type PasswordPurpose = Exclude<LinkPurpose, 'email_confirmation'>

/** The token of a link, and the networks of the request, the smallest first. */
export interface Presented {
  readonly token: string
  readonly networks: readonly string[]
}

/** What the holder of a link can do. Each use ends all sessions of the person. */
export const provenAddressService = (links: MailedLinkService, effects: Effects) => {
  const { accounts, users, clients, sessions, mails, hasher, failures, audit } = effects
  /** A client who sets the password by the link of an invitation thereby accepts it. */
  const accept = async (purpose: PasswordPurpose, { person, officeId }: FoundLink) => {
    if (purpose === 'invitation' && person.kind === 'client' && officeId !== null) await clients.acceptInvitation(person.id, officeId)
  }

  return {
    /** Sets a password by a link, and resets the failed sign-ins of the account. @throws AppError `invalid` when the link is not valid */
    async setPassword(audience: Audience, purpose: PasswordPurpose, { token, networks }: Presented, password: string): Promise<void> {
      const link = await links.find(audience, purpose, token)
      const { person: subject } = link
      const passwordHash = await hasher.hash(password)
      await links.redeem(link, async ({ customerId, email }) => {
        await accounts.replacePassword(subject, passwordHash)
        await audit.record({ kind: 'password.changed', customerId, actor: subject, subject, details: { reason: purpose } })
        await accept(purpose, link)
        await failures.forget({ account: signInName(audience, email), networks })
      })
    },

    /**
     * Confirms a new address by a link: it replaces that of the account.
     * @throws AppError `invalid` when the link is not valid, or somebody else has the address
     */
    async confirmEmail(audience: Audience, token: string): Promise<void> {
      const link = await links.find(audience, 'email_confirmation', token)
      const { person: subject, email } = link
      const isClient = subject.kind === 'client'
      await links.redeem(link, async ({ customerId, email: before }) => {
        await (isClient ? clients : users).setAddress(subject.id, email ?? before)
        await sessions.endAll(subject)
        const kind = isClient ? 'client.changed' : 'user.changed'
        await audit.record({ kind, customerId, actor: subject, subject, details: { fields: 'email' } })
        await mails.addressChanged(subject, before)
      })
    },
  }
}

export type ProvenAddressService = ReturnType<typeof provenAddressService>
