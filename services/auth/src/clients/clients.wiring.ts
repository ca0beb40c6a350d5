import type { Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Limit } from '@caseway/kit/limits'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { CustomerService } from '../customers/customer.service.js'
import type { Db } from '../database.js'
import type { OwnPasswordService } from '../passwords/own-password.service.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { SessionService } from '../sessions/session.service.js'
import { clientRepository } from './client.repository.js'
import { clientResource } from './client.resource.js'
import { clientService } from './client.service.js'
import { clientEntry, linkEntry } from './client-audit.js'
import { erasureRepository } from './erasure.repository.js'
import { erasureService } from './erasure.service.js'
import { invitationRoutes } from './invitation.routes.js'
import { linkRepository } from './link.repository.js'
import { officeLinkResource } from './office-link.resource.js'
import { officeLinkService } from './office-link.service.js'
import { ownAccountRepository } from './own-account.repository.js'
import { ownAccountRoutes } from './own-account.routes.js'
import { ownAccountService } from './own-account.service.js'
import { ownLinkResource } from './own-link.resource.js'
import { ownLinkService } from './own-link.service.js'

interface Dependencies {
  readonly customers: CustomerService
  readonly hasher: PasswordHasher
  readonly officeRequests: Limit
  readonly ownPasswords: OwnPasswordService
  readonly sessions: SessionService
  readonly audit: Audit
  readonly mails: Pick<AccountMailService, 'invite' | 'confirmAddress' | 'forget'>
}

/** Clients and their links with offices, as the offices see them and as the clients do. */
export function wireClients(db: Db, { customers, hasher, officeRequests, ownPasswords, sessions, audit, mails }: Dependencies) {
  const invite = (customerId: Id, id: Id) => mails.invite({ kind: 'client', id }, customerId)
  const links = linkRepository(db, {
    onChange: (link, actor) => audit.record(linkEntry(link, actor)),
    onUnbanned: ({ customerId, userClientId }) => invite(customerId, userClientId),
  })
  const rows = clientRepository(db, links, {
    onCreated: (customerId, id) => audit.record(clientEntry(customerId, id)),
    onEntered: invite,
  })
  const clients = clientService(rows, links, hasher)
  const officeLinks = officeLinkService(resourceReads(db, officeLinkResource, { client: rows.some }), links, rows)
  const ownLinks = ownLinkService(resourceReads(db, ownLinkResource, { customerCompany: customers.some }), links, customers, officeRequests)
  return {
    clients,
    erasures: erasureService(erasureRepository(db), { sessions, audit, mails }),
    officesOfClient: { publishAll: links.publishAll, changeCards: links.changeCards },
    routes: {
      expert: [resourceRoutes(clientResource, clients), resourceRoutes(officeLinkResource, officeLinks)],
      client: [
        ownAccountRoutes(ownAccountService(ownAccountRepository(db), ownPasswords, sessions, audit, mails)),
        invitationRoutes(ownLinks),
        resourceRoutes(ownLinkResource, ownLinks),
      ],
    },
  }
}
