import { recordEncoder, resourceRoutes } from '@caseway/kit/http'
import { RightsServiceService } from '@caseway/protos/auth/v1/rights'
import type { Audit } from '../audit/audit-event.service.js'
import type { Db } from '../database.js'
import type { SessionService } from '../sessions/session.service.js'
import { permissionRoutes } from './permission.routes.js'
import { permissionService } from './permission.service.js'
import { rightsGrpc } from './rights.grpc.js'
import { rightsRepository } from './rights.repository.js'
import { rightsService } from './rights.service.js'
import { userRoleRepository } from './user-role.repository.js'
import { userRoleResource } from './user-role.resource.js'
import { userRoleService } from './user-role.service.js'

/** The roles of offices, and the permissions of roles and of single people. */
export function wireRoles(db: Db, { sessions, audit }: { sessions: SessionService; audit: Audit }) {
  const permissions = rightsRepository(db)
  const rights = rightsService(permissions)
  const rows = userRoleRepository(db)
  const roles = userRoleService({ roles: rows, rights, sessions, audit })
  return {
    rights,
    roles,
    encodeRole: recordEncoder(userRoleResource),
    routes: [resourceRoutes(userRoleResource, roles), permissionRoutes(permissionService(permissions, rights, rows, audit))],
    grpc: [RightsServiceService, rightsGrpc(rights)] as const,
  }
}
