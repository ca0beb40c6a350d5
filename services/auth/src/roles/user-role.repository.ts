import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { builtInRole, roleInUse } from '../errors.js'
import { type UserRoleChanges, type UserRoleRow, userRoleResource } from './user-role.resource.js'

interface NewRow {
  readonly name: string
  readonly baseRole: number
  readonly builtIn?: boolean
}

export const userRoleRepository = (db: Db) => {
  const reads = resourceReads(db, userRoleResource)
  return {
    ...reads,

    create: (customerId: Id, role: NewRow) => db.write(office(customerId), (tx) => tx.userRole.create({ data: { ...role, customerId } })),

    /** The role that every office has for a base role. */
    builtIn: (customerId: Id, baseRole: number) =>
      db.read(office(customerId)).userRole.findFirstOrThrow({ where: { customerId, baseRole, builtIn: true } }),

    change: (
      caller: Employee,
      id: Id,
      changes: UserRoleChanges,
      expected: number | undefined,
      then: (before: UserRoleRow, userIds: Id[]) => Promise<void>,
    ) =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const before = await reads.lock(tx, caller, id, expected)
        await tx.userRole.update({ where: { id, customerId }, data: { ...changes, version: { increment: 1 } } })
        const users = await tx.user.findMany({ where: { customerId, userRoleId: id }, select: { id: true } })
        await then(
          before,
          users.map((user) => user.id),
        )
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await reads.lock(tx, caller, id, expected)
        const { builtIn } = await tx.userRole.findFirstOrThrow({ where: { id, customerId } })
        if (builtIn) throw builtInRole()
        if (await tx.user.count({ where: { customerId, userRoleId: id } })) throw roleInUse()
        await tx.userRolePermission.deleteMany({ where: { customerId, userRoleId: id } })
        await tx.userRole.delete({ where: { id, customerId } })
      }),
  }
}

export type UserRoleRepository = ReturnType<typeof userRoleRepository>
