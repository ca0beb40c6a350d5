import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { roleInUse } from './role-errors.js'
import { type UserRoleChanges, type UserRoleRow, userRoleResource } from './user-role.resource.js'

interface NewRow {
  readonly name: string
  readonly baseRole: number
  readonly builtIn?: boolean
}

/** The fields of a locked row. */
export type LockedRole = UserRoleRow & { readonly builtIn: boolean }

export const userRoleRepository = (db: Db) => {
  const reads = resourceReads(db, userRoleResource)

  /** Runs a change with the role locked; `authorize` runs before anything is written. */
  const changing = <T>(caller: Employee, id: Id, expected: number | undefined, authorize: (role: LockedRole) => Promise<T>): Promise<T> =>
    db.write(caller, async (tx) => {
      const row = await reads.lock(tx, caller, id, expected)
      const { builtIn } = await tx.userRole.findFirstOrThrow({ where: { id, customerId: caller.customerId }, select: { builtIn: true } })
      return authorize({ ...row, builtIn })
    })

  return {
    ...reads,

    create: (customerId: Id, role: NewRow, then?: (id: Id) => Promise<void>) =>
      db.write(office(customerId), async (tx) => {
        const { id } = await tx.userRole.create({ data: { ...role, customerId } })
        await then?.(id)
        return id
      }),

    /** The built-in role for a base role. */
    builtIn: (customerId: Id, baseRole: number) =>
      db.read(office(customerId)).userRole.findFirstOrThrow({ where: { customerId, baseRole, builtIn: true } }),

    change: (
      caller: Employee,
      id: Id,
      changes: UserRoleChanges,
      expected: number | undefined,
      authorize: (role: LockedRole) => Promise<void>,
      then: (before: LockedRole) => Promise<void>,
    ) =>
      changing(caller, id, expected, async (before) => {
        await authorize(before)
        const where = { id, customerId: caller.customerId }
        await db.write(caller, (tx) => tx.userRole.update({ where, data: changes }))
        await then(before)
      }),

    remove: (caller: Employee, id: Id, expected: number | undefined, authorize: (role: LockedRole) => Promise<void>) =>
      changing(caller, id, expected, async (before) => {
        await authorize(before)
        const { customerId } = caller
        await db.write(caller, async (tx) => {
          if (await tx.user.count({ where: { customerId, userRoleId: id } })) throw roleInUse()
          await tx.userRolePermission.deleteMany({ where: { customerId, userRoleId: id } })
          await tx.userRole.delete({ where: { id, customerId } })
        })
      }),
  }
}

export type UserRoleRepository = ReturnType<typeof userRoleRepository>
