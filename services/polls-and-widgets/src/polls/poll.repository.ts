import type { Employee, Id } from '@caseway/kit/caller'
import { type Database, resourceReads } from '@caseway/kit/database'
import type { PrismaClient } from '../generated/client.js'
import { type NewPoll, type PollChanges, pollResource } from './poll.resource.js'

export const pollRepository = (db: Database<PrismaClient>) => {
  const reads = resourceReads(db, pollResource)
  return {
    ...reads,

    create: (caller: Employee, input: NewPoll) =>
      db.write(caller, (tx) => tx.poll.create({ data: { ...input, userId: caller.userId, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: PollChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.poll.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.poll.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}

export type PollRepository = ReturnType<typeof pollRepository>
