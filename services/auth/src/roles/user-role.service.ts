import { type Employee, type EmployeeRole, employees, type Id } from '@caseway/kit/caller'
import type { Audit } from '../audit/audit-event.service.js'
import type { SessionService } from '../sessions/session.service.js'
import { administers, effectiveRights, noStanding, numberOfRole } from './right.js'
import type { RightsService } from './rights.service.js'
import { builtInRole } from './role-errors.js'
import type { UserRoleRepository } from './user-role.repository.js'
import type { NewUserRole, UserRoleChanges } from './user-role.resource.js'

const trainee = numberOfRole('trainee')

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

interface Parts {
  readonly roles: UserRoleRepository
  readonly rights: RightsService
  readonly sessions: SessionService
  readonly audit: Audit
}

export const userRoleService = ({ roles, rights, sessions, audit }: Parts) => {
  const record = (kind: 'role.created' | 'role.changed' | 'role.deleted', id: Id, baseRole?: number) =>
    audit.record({ kind, subject: { kind: 'user_role', id }, details: baseRole === undefined ? {} : { base_role: String(baseRole) } })

  return {
    list: roles.list,
    get: roles.get,
    find: roles.find,

    /** The id of the built-in role for a base role. */
    builtIn: async (customerId: Id, role: EmployeeRole): Promise<Id> => (await roles.builtIn(customerId, numberOfRole(role))).id,

    /** Creates the four built-in roles of a new office. */
    async createBuiltIn(customerId: Id): Promise<void> {
      for (const role of employees) await roles.create(customerId, { name: capitalized(role), baseRole: numberOfRole(role), builtIn: true })
    },

    async create(caller: Employee, { name, baseRole = trainee }: NewUserRole): Promise<Id> {
      await rights.requireToMake(caller, noStanding, { baseRole, rights: effectiveRights(baseRole, []) })
      return roles.create(caller.customerId, { name, baseRole }, (id) => record('role.created', id, baseRole))
    },

    /** Changes a role. Tokens contain the base role, so a change of it ends the sessions of everybody who has the role. */
    async change(caller: Employee, id: Id, changes: UserRoleChanges, expected?: number): Promise<void> {
      const { baseRole: wanted } = changes
      await roles.change(
        ...([caller, id, changes, expected] as const),
        async ({ baseRole, builtIn }) => {
          const before = await rights.standing(caller, id)
          await rights.requireToMake(caller, before, wanted === undefined ? before : await rights.standingAs(caller, id, wanted))
          if (builtIn && wanted !== undefined && wanted !== baseRole) throw builtInRole()
        },
        async ({ baseRole }) => {
          await record('role.changed', id, wanted)
          if (wanted === undefined || wanted === baseRole) return
          if (administers({ baseRole })) await rights.requireAdministrator(caller.customerId)
          await sessions.endOfRole(id)
        },
      )
    },

    async remove(caller: Employee, id: Id, expected?: number): Promise<void> {
      await roles.remove(caller, id, expected, async ({ builtIn }) => {
        const before = await rights.standing(caller, id)
        await rights.requireToMake(caller, before, before)
        if (builtIn) throw builtInRole()
        await record('role.deleted', id)
      })
    },
  }
}

export type UserRoleService = ReturnType<typeof userRoleService>
