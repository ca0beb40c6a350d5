import type { Limit } from '@caseway/kit/limits'
import type { PurgeRule } from '@caseway/kit/purge'
import type { Secrets } from '@caseway/kit/secrets'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Db } from '../database.js'
import { mailedLinkRepository } from './mailed-link.repository.js'
import { mailedLinkRoutes } from './mailed-link.routes.js'
import { mailedLinkService } from './mailed-link.service.js'
import { type Effects, provenAddressService } from './proven-address.service.js'

interface Dependencies {
  readonly accounts: AccountService
  readonly secrets: Secrets
}

/** The links of the mails about accounts. */
export function wireMailedLinks(db: Db, { accounts, secrets }: Dependencies) {
  const links = mailedLinkService(mailedLinkRepository(db), secrets.digests('mailed-links'), accounts)
  return {
    links,
    /** The routes, which are the same on both addresses. */
    routesOf: (effects: Effects & { readonly mails: AccountMailService }, requests: Limit) =>
      mailedLinkRoutes(provenAddressService(links, effects), effects.mails, requests),
    retention: [{ table: 'mailed_links', column: 'expires', keepMs: 0 }] satisfies PurgeRule[],
  }
}
