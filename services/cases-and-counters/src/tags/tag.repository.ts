import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type NewTag, type TagChanges, tagResource } from './tag.resource.js'

export const tagRepository = (db: Db) => {
  const reads = resourceReads(db, tagResource)
  return {
    ...reads,

    create: (caller: Employee, tag: NewTag & { userId: Id }) =>
      db.write(caller, (tx) => tx.tag.create({ data: { ...tag, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: TagChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.tag.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.tag.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}

export type TagRepository = ReturnType<typeof tagRepository>
