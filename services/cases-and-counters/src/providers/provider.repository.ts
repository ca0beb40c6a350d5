import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { providerInUse } from '../errors.js'
import { type NewProvider, type ProviderChanges, providerResource } from './provider.resource.js'

export const providerRepository = (db: Db) => {
  const reads = resourceReads(db, providerResource)
  return {
    ...reads,

    create: (caller: Employee, provider: NewProvider) =>
      db.write(caller, (tx) => tx.provider.create({ data: { ...provider, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: ProviderChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.provider.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    /** @throws AppError `conflict` while a case or a person refers to it: whoever writes one locks the provider (`References.keep`) */
    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        const naming = { where: { customerId: caller.customerId, providerId: id }, select: { id: true } }
        if ((await tx.issue.findFirst(naming)) || (await tx.providerPerson.findFirst(naming))) throw providerInUse()
        await tx.provider.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}

export type ProviderRepository = ReturnType<typeof providerRepository>
