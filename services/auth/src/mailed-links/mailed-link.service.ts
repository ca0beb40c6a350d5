import type { Audience } from '@caseway/kit/caller'
import type { Digests } from '@caseway/kit/secrets'
import { kindAt, type LockedLogin } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import { type FoundLink, hashOfToken, type LinkPurpose, type MailedLink, stateOf, tokenOf } from './mailed-link.js'
import type { MailedLinkRepository } from './mailed-link.repository.js'
import { invalidLink } from './mailed-link-errors.js'

/**
 * The links by which people prove that they read the mails of an address. Each can be used once.
 * @param digests derives tokens from seeds
 */
export const mailedLinkService = (links: MailedLinkRepository, digests: Digests, accounts: Pick<AccountService, 'lock'>) => ({
  /** Stores a new link. Joins the running transaction. */
  async issue(seed: string, link: Omit<MailedLink, 'hash'>): Promise<void> {
    await links.add({ ...link, hash: hashOfToken(tokenOf(digests(seed)[0])) })
  },

  /** The token that was issued for a seed; undefined when its link was used or has expired. */
  async tokenFor(seed: string): Promise<string | undefined> {
    const tokens = digests(seed).map(tokenOf)
    const hash = await links.firstOf(tokens.map(hashOfToken))
    return tokens.find((token) => hash && hashOfToken(token).equals(hash))
  },

  /** Finds a link by its token. @throws AppError `invalid` when there is none, or it has expired */
  async find(audience: Audience, purpose: LinkPurpose, token: string): Promise<FoundLink> {
    const link = await links.find(hashOfToken(token), purpose, kindAt[audience])
    if (!link) throw invalidLink()
    return link
  },

  /**
   * Uses a link in the transaction of its effect: if that fails, the link remains valid. The account is locked first, which serializes the links of one
   * person.
   * @throws AppError `invalid` when the link was used, or the login has changed since it was issued
   */
  redeem: (link: FoundLink, effect: (login: LockedLogin) => Promise<void>): Promise<void> =>
    links.redeeming(async () => {
      const login = await accounts.lock(link.person)
      if (!login?.active || !stateOf(login).equals(link.state) || !(await links.remove(link))) throw invalidLink()
      await effect(login)
    }),
})

export type MailedLinkService = ReturnType<typeof mailedLinkService>
