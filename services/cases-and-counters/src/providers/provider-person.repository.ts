import type { Employee, Id } from '@caseway/kit/caller'
import { onUnique, type References, resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { providerPersonEmailUsed } from '../errors.js'
import type { ProviderRepository } from './provider.repository.js'
import { type NewProviderPerson, type ProviderPersonChanges, providerPersonResource } from './provider-person.resource.js'

/** Of many who enter one address at once, the index lets one through. */
const emailUsed = (error: unknown): never => {
  throw onUnique(error, 'provider_persons_customer_id_lower_email_key', providerPersonEmailUsed())
}

export const providerPersonRepository = (
  db: Db,
  providers: ProviderRepository,
  named: References<'provider_id' | 'issue_initiator_id'>,
) => {
  const reads = resourceReads(db, providerPersonResource, { provider: providers.some })
  return {
    ...reads,

    create: (caller: Employee, person: NewProviderPerson) =>
      db
        .write(caller, async (tx) => {
          await named.keep(tx, caller, person)
          return tx.providerPerson.create({ data: { ...person, customerId: caller.customerId } })
        })
        .catch(emailUsed),

    change: (caller: Employee, id: Id, changes: ProviderPersonChanges, expected?: number) =>
      db
        .write(caller, async (tx) => {
          await reads.lock(tx, caller, id, expected)
          await named.keep(tx, caller, changes)
          await tx.providerPerson.update({ where: { id, customerId: caller.customerId }, data: changes })
        })
        .catch(emailUsed),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.providerPerson.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}
