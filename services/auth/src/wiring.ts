import { type Routes, resourceRoutes } from '@caseway/kit/http'
import type { Logger } from '@caseway/kit/observability'
import { PeopleServiceService } from '@caseway/protos/auth/v1/people'
import { RightsServiceService } from '@caseway/protos/auth/v1/rights'
import { SessionServiceService } from '@caseway/protos/auth/v1/sessions'
import { SnapshotServiceService } from '@caseway/protos/auth/v1/snapshot'
import { accountRepository } from './accounts/account.repository.js'
import { administration } from './administration/administration.service.js'
import { applicationRepository } from './applications/application.repository.js'
import { clientRepository } from './clients/client.repository.js'
import { clientResource } from './clients/client.resource.js'
import { clientService } from './clients/client.service.js'
import { customerRepository } from './customers/customer.repository.js'
import { customerService } from './customers/customer.service.js'
import type { Db } from './database.js'
import { keyRepository } from './keys/key.repository.js'
import { keyRoutes } from './keys/key.routes.js'
import { keyRing } from './keys/key-ring.service.js'
import type { Secrets } from './keys/secrets.js'
import { linkRepository } from './links/link.repository.js'
import { officeLinkRepository } from './links/office-link.repository.js'
import { officeLinkResource } from './links/office-link.resource.js'
import { officeLinkService } from './links/office-link.service.js'
import { ownLinkRepository } from './links/own-link.repository.js'
import { ownLinkResource } from './links/own-link.resource.js'
import { ownLinkService } from './links/own-link.service.js'
import type { LoginFailures } from './passwords/login-failures.js'
import type { PasswordHasher } from './passwords/password-hasher.js'
import { permissionRoutes } from './roles/permission.routes.js'
import { permissionService } from './roles/permission.service.js'
import { rightsGrpc } from './roles/rights.grpc.js'
import { rightsRepository } from './roles/rights.repository.js'
import { rightsService } from './roles/rights.service.js'
import { userRoleRepository } from './roles/user-role.repository.js'
import { userRoleResource } from './roles/user-role.resource.js'
import { userRoleService } from './roles/user-role.service.js'
import { sessionRepository } from './sessions/session.repository.js'
import { sessionService } from './sessions/session.service.js'
import { sessionsGrpc } from './sessions/sessions.grpc.js'
import { snapshotGrpc } from './snapshot/snapshot.grpc.js'
import { snapshotRepository } from './snapshot/snapshot.repository.js'
import { snapshotService } from './snapshot/snapshot.service.js'
import { tokenRepository } from './tokens/token.repository.js'
import { tokenRoutes } from './tokens/token.routes.js'
import { type TokenSettings, tokenService } from './tokens/token.service.js'
import { meRoutes } from './users/me.routes.js'
import { peopleGrpc } from './users/people.grpc.js'
import { peopleRepository } from './users/people.repository.js'
import { peopleService } from './users/people.service.js'
import { userRepository } from './users/user.repository.js'
import { userResource } from './users/user.resource.js'
import { userService } from './users/user.service.js'

export interface Surroundings {
  readonly db: Db
  readonly secrets: Secrets
  readonly hasher: PasswordHasher
  readonly failures: LoginFailures
  readonly settings: TokenSettings & { rotationMs: number; defaultTimeZone: string }
  readonly log: Logger
}

/** Who uses whom. */
export function wire({ db, secrets, hasher, failures, settings, log }: Surroundings) {
  const { accessTokenMs, rotationMs, defaultTimeZone } = settings
  const [accounts, applications, users, roles] = [
    accountRepository(db),
    applicationRepository(db),
    userRepository(db),
    userRoleRepository(db),
  ]
  const ring = keyRing({ keys: keyRepository(db, secrets), rotationMs, accessTokenMs, log })
  const families = sessionRepository(db, accessTokenMs)
  const sessions = sessionService(families)

  const permissions = rightsRepository(db)
  const rights = rightsService(permissions)
  const employees = userService({ users, accounts, roles, permissions, rights, hasher, sessions })

  const companies = customerRepository(db)
  const customers = customerService(companies, roles, users, hasher, defaultTimeZone)
  const links = linkRepository(db)
  const clients = clientRepository(db, links)

  const parts = { accounts, applications, sessions: families, tokens: tokenRepository(db), ring, secrets, hasher, failures, settings }
  const token = tokenRoutes(tokenService({ ...parts, permissionsOf: rights.ofAccount }))

  const expert: Routes[] = [
    token,
    meRoutes(employees),
    resourceRoutes(userResource, employees),
    resourceRoutes(userRoleResource, userRoleService(roles, rights, sessions)),
    permissionRoutes(permissionService(permissions, rights, roles, users)),
    resourceRoutes(clientResource, clientService(clients)),
    resourceRoutes(officeLinkResource, officeLinkService(officeLinkRepository(db, links), links, clients)),
  ]
  const client: Routes[] = [token, resourceRoutes(ownLinkResource, ownLinkService(ownLinkRepository(db, companies), links, companies))]
  const grpc = [
    [PeopleServiceService, peopleGrpc(peopleService(peopleRepository(db)))],
    [RightsServiceService, rightsGrpc(rights)],
    [SessionServiceService, sessionsGrpc(sessions)],
    [SnapshotServiceService, snapshotGrpc(snapshotService(snapshotRepository(db)))],
  ] as const
  const administrator = administration({ customers, roles, users, clients, links, accounts, applications, sessions, hasher, ring })
  return {
    routes: { expert, client, unprotected: [keyRoutes(ring)] },
    grpc,
    ring,
    customers,
    sessions: families,
    administration: administrator,
  }
}
