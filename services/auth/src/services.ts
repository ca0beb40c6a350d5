import { platform, resourceReads } from '@caseway/kit/database'
import type { Logger } from '@caseway/kit/observability'
import { accountRepository } from './accounts/account.repository.js'
import { accountService } from './accounts/account.service.js'
import { administration } from './administration/administration.service.js'
import { applicationRepository } from './applications/application.repository.js'
import { applicationService } from './applications/application.service.js'
import { auditEventRepository } from './audit/audit-event.repository.js'
import { auditEventService } from './audit/audit-event.service.js'
import { clientRepository } from './clients/client.repository.js'
import { clientService } from './clients/client.service.js'
import { clientEntry, linkEntry } from './clients/client-audit.js'
import { linkRepository } from './clients/link.repository.js'
import { officeLinkResource } from './clients/office-link.resource.js'
import { officeLinkService } from './clients/office-link.service.js'
import { ownAccountRepository } from './clients/own-account.repository.js'
import { ownAccountService } from './clients/own-account.service.js'
import { ownLinkResource } from './clients/own-link.resource.js'
import { ownLinkService } from './clients/own-link.service.js'
import { customerRepository } from './customers/customer.repository.js'
import { customerService } from './customers/customer.service.js'
import type { Db } from './database.js'
import { keyRepository } from './keys/key.repository.js'
import { keyRing } from './keys/key-ring.service.js'
import type { Secrets } from './keys/secrets.js'
import type { LoginFailures } from './limits/login-failures.js'
import type { OfficeRequests } from './limits/office-requests.js'
import type { AuthMetrics } from './metrics.js'
import { ownPasswordService } from './passwords/own-password.service.js'
import type { PasswordHasher } from './passwords/password-hasher.js'
import { permissionService } from './roles/permission.service.js'
import { rightsRepository } from './roles/rights.repository.js'
import { rightsService } from './roles/rights.service.js'
import { userRoleRepository } from './roles/user-role.repository.js'
import { userRoleService } from './roles/user-role.service.js'
import { sessionRepository } from './sessions/session.repository.js'
import { sessionService } from './sessions/session.service.js'
import { snapshotRepository } from './snapshot/snapshot.repository.js'
import { snapshotService } from './snapshot/snapshot.service.js'
import { accessTokenService } from './tokens/access-token.service.js'
import { knownAddressRepository } from './tokens/known-address.repository.js'
import { refreshService } from './tokens/refresh.service.js'
import { signInService } from './tokens/sign-in.service.js'
import { tokenRepository } from './tokens/token.repository.js'
import { type TokenSettings, tokenService } from './tokens/token.service.js'
import { peopleRepository } from './users/people.repository.js'
import { peopleService } from './users/people.service.js'
import { userRepository } from './users/user.repository.js'
import { userService } from './users/user.service.js'

export interface Dependencies {
  readonly db: Db
  readonly secrets: Secrets
  readonly hasher: PasswordHasher
  readonly failures: LoginFailures
  readonly officeRequests: OfficeRequests
  readonly settings: TokenSettings & { rotationMs: number; defaultTimeZone: string }
  readonly log: Logger
  readonly metrics: AuthMetrics
}

/** What can be done: each service with what it uses. */
export function servicesOf({ db, secrets, hasher, failures, officeRequests, settings, log, metrics }: Dependencies) {
  const { accessTokenMs, rotationMs, defaultTimeZone } = settings
  const audit = auditEventService(auditEventRepository(db), log)
  const ring = keyRing({ keys: keyRepository(db, secrets), rotationMs, accessTokenMs, log })
  const sessions = sessionService(sessionRepository(db, accessTokenMs))
  const accounts = accountService(accountRepository(db), hasher, sessions)
  const applications = applicationService(applicationRepository(db))

  const permissions = rightsRepository(db)
  const rights = rightsService(permissions)
  const roleRows = userRoleRepository(db)
  const roles = userRoleService({ roles: roleRows, rights, sessions, audit })
  const ownPasswords = ownPasswordService({ accounts, hasher, failures, audit })
  const users = userService({ users: userRepository(db), roles, rights, hasher, ownPasswords, sessions, audit })

  const customers = customerService(customerRepository(db), roles, users, defaultTimeZone)
  const links = linkRepository(db, (link) => audit.record(linkEntry(link)))
  const clientRows = clientRepository(db, links, (customerId, id) => audit.record(clientEntry(customerId, id)))
  const clients = clientService(clientRows, links, hasher)
  const ownLinks = ownLinkService(resourceReads(db, ownLinkResource, { customerCompany: customers.some }), links, customers, officeRequests)
  const officeLinks = officeLinkService(resourceReads(db, officeLinkResource, { client: clientRows.some }), links, clientRows)

  const accessTokens = accessTokenService({ ring, permissionsOf: rights.ofAccount, settings })
  const knownAddresses = knownAddressRepository(db, secrets)
  const parts = { accounts, accessTokens, sessions, tokens: tokenRepository(db), settings }
  const signIn = signInService({ ...parts, knownAddresses, hasher, failures, audit })
  const refresh = refreshService({ ...parts, secrets, audit, log, metrics })
  const tokens = tokenService({ applications, sessions, audit, accessTokens, signIn, refresh, settings })

  const people = peopleService(peopleRepository(db))
  const snapshot = snapshotService(snapshotRepository(db))
  const permission = permissionService(permissions, rights, roleRows, audit)
  const administrator = administration({
    ...{ customers, users, clients, accounts, applications, ring, audit },
    together: (work) => db.write(platform, () => work()),
  })
  return {
    ...{ ring, tokens, sessions, users, roles, rights, permission, people, snapshot, customers },
    ...{
      clients,
      ownLinks,
      officeLinks,
      administration: administrator,
      audit,
      ownAccount: ownAccountService(ownAccountRepository(db), ownPasswords, sessions, audit),
    },
  }
}
