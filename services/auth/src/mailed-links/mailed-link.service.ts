import type { Audience } from '@caseway/kit/caller'
import type { Digests } from '@caseway/kit/secrets'
import { kindAt, type LockedLogin } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { type FoundLink, hashOfToken, type LinkPurpose, type MailedLink, stateOf, tokenOf } from './mailed-link.js'
import type { MailedLinkRepository } from './mailed-link.repository.js'
import { linkNotGood } from './mailed-link-errors.js'

interface Parts {
  readonly links: MailedLinkRepository
  /** Of tokens, from their seeds. */
  readonly digests: Digests
  readonly accounts: Pick<AccountService, 'lock' | 'replacePassword'>
  readonly hasher: Pick<PasswordHasher, 'hash'>
  readonly audit: Audit
}

type PasswordPurpose = Exclude<LinkPurpose, 'email_confirmation'>

/** The links by which people prove that they read the mails of an address. Each is good once. */
export const mailedLinkService = ({ links, digests, accounts, hasher, audit }: Parts) => {
  const found = async (audience: Audience, purpose: LinkPurpose, token: string): Promise<FoundLink> => {
    const link = await links.find(hashOfToken(token), purpose, kindAt[audience])
    if (!link) throw linkNotGood()
    return link
  }

  /** In the transaction of what follows from it. The account is locked first, so that two links of one person are used one after the other. */
  const use = async (link: FoundLink): Promise<LockedLogin> => {
    const login = await accounts.lock(link.person)
    if (!login?.active || !stateOf(login).equals(link.state) || !(await links.remove(link))) throw linkNotGood()
    return login
  }

  return {
    /** Keeps a new link. Joins the transaction that is running. */
    async issue(seed: string, link: Omit<MailedLink, 'hash'>): Promise<void> {
      await links.add({ ...link, hash: hashOfToken(tokenOf(digests(seed)[0])) })
    },

    /** The token that was issued for a seed, undefined when it was used or has expired. */
    async tokenFor(seed: string): Promise<string | undefined> {
      const tokens = digests(seed).map(tokenOf)
      const hash = await links.firstOf(tokens.map(hashOfToken))
      return tokens.find((token) => hash && hashOfToken(token).equals(hash))
    },

    /**
     * The password of whoever has the link of an invitation, or of a reset. Ends every session of theirs.
     * @throws AppError `invalid` when the link is not good
     */
    async setPassword(audience: Audience, purpose: PasswordPurpose, token: string, password: string): Promise<void> {
      const link = await found(audience, purpose, token)
      const passwordHash = await hasher.hash(password)
      await links.redeeming(async () => {
        const { customerId } = await use(link)
        await accounts.replacePassword(link.person, passwordHash)
        const { person: subject } = link
        await audit.record({ kind: 'password.changed', customerId, actor: subject, subject, details: { reason: purpose } })
      })
    },
  }
}

export type MailedLinkService = ReturnType<typeof mailedLinkService>
