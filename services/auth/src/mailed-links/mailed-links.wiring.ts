import type { Limit } from '@caseway/kit/limits'
import type { PurgeRule } from '@caseway/kit/purge'
import type { Secrets } from '@caseway/kit/secrets'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { Db } from '../database.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { mailedLinkRepository } from './mailed-link.repository.js'
import { mailedLinkRoutes } from './mailed-link.routes.js'
import { mailedLinkService } from './mailed-link.service.js'

interface Dependencies {
  readonly accounts: AccountService
  readonly hasher: PasswordHasher
  readonly secrets: Secrets
  readonly audit: Audit
}

/** The links of the mails about accounts. */
export function wireMailedLinks(db: Db, { secrets, ...parts }: Dependencies) {
  const links = mailedLinkService({ ...parts, links: mailedLinkRepository(db), digests: secrets.digests('mailed-links') })
  return {
    links,
    routesOf: (mails: AccountMailService, requests: Limit) => mailedLinkRoutes(links, mails, requests),
    retention: [{ table: 'mailed_links', column: 'expires', keepMs: 0 }] satisfies PurgeRule[],
  }
}
