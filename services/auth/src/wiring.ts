import { type OnRefused, type Routes, recordEncoder, resourceRoutes } from '@caseway/kit/http'
import { PeopleServiceService } from '@caseway/protos/auth/v1/people'
import { RightsServiceService } from '@caseway/protos/auth/v1/rights'
import { SessionServiceService } from '@caseway/protos/auth/v1/sessions'
import { SnapshotServiceService } from '@caseway/protos/auth/v1/snapshot'
import { auditEventConsumer } from './audit/audit-event.consumer.js'
import { auditEventResource } from './audit/audit-event.resource.js'
import { clientResource } from './clients/client.resource.js'
import { officeLinkResource } from './clients/office-link.resource.js'
import { ownAccountRoutes } from './clients/own-account.routes.js'
import { ownLinkResource } from './clients/own-link.resource.js'
import { keyRoutes } from './keys/key.routes.js'
import type { TokenRequests } from './limits/token-requests.js'
import { permissionRoutes } from './roles/permission.routes.js'
import { rightsGrpc } from './roles/rights.grpc.js'
import { userRoleResource } from './roles/user-role.resource.js'
import { type Dependencies, servicesOf } from './services.js'
import { sessionsGrpc } from './sessions/sessions.grpc.js'
import { snapshotGrpc } from './snapshot/snapshot.grpc.js'
import { tokenRoutes } from './tokens/token.routes.js'
import { meRoutes } from './users/me.routes.js'
import { peopleGrpc } from './users/people.grpc.js'
import { userResource } from './users/user.resource.js'

/** How the services are reached. */
export function wire(dependencies: Dependencies & { tokenRequests: TokenRequests }) {
  const services = servicesOf(dependencies)
  const { ring, tokens, sessions, users, roles, rights, permission, people, snapshot, clients, ownLinks, officeLinks, audit } = services
  const token = tokenRoutes(tokens, dependencies.tokenRequests, recordEncoder(userRoleResource))
  const expert: Routes[] = [
    token,
    meRoutes(users),
    resourceRoutes(userResource, users),
    resourceRoutes(userRoleResource, roles),
    permissionRoutes(permission),
    resourceRoutes(clientResource, clients),
    resourceRoutes(officeLinkResource, officeLinks),
    resourceRoutes(auditEventResource, { list: audit.list, get: audit.get }),
  ]
  const client: Routes[] = [token, ownAccountRoutes(services.ownAccount), resourceRoutes(ownLinkResource, ownLinks)]
  const grpc = [
    [PeopleServiceService, peopleGrpc(people)],
    [RightsServiceService, rightsGrpc(rights)],
    [SessionServiceService, sessionsGrpc(sessions)],
    [SnapshotServiceService, snapshotGrpc(snapshot)],
  ] as const
  const { customers, administration } = services
  const routes = { expert, client, unprotected: [keyRoutes(ring)] }
  const onRefused: OnRefused = ({ method, route }) => audit.record({ kind: 'right.refused', details: { method, route } })
  return { routes, grpc, consumers: [auditEventConsumer(audit)], onRefused, hasRight: rights.has, ring, customers, administration }
}
