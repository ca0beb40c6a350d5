import type { Employee, Id } from '@caseway/kit/caller'
import { type Database, resourceReads } from '@caseway/kit/database'
import type { PrismaClient } from '../generated/client.js'
import { type CompanyCardChanges, companyCardResource, type NewCompanyCard } from './company-card.resource.js'

export const companyCardRepository = (db: Database<PrismaClient>) => {
  const reads = resourceReads(db, companyCardResource)
  return {
    ...reads,

    create: (caller: Employee, input: NewCompanyCard) =>
      db.write(caller, (tx) => tx.companyCard.create({ data: { ...input, userId: caller.userId, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: CompanyCardChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.companyCard.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.companyCard.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}

export type CompanyCardRepository = ReturnType<typeof companyCardRepository>
