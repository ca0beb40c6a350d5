import type { Employee, Id } from '@caseway/kit/caller'
import { office, onViolation, type ParamOf, prepared, type References, resourceReads, sql } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { contactTopic } from '@caseway/protos/topics'
import type { Db } from '../database.js'
import { providerPersonEmailUsed } from '../errors.js'
import type { ProviderRepository } from './provider.repository.js'
import { type NewProviderPerson, type ProviderPersonChanges, providerPersonResource } from './provider-person.resource.js'
import { deletedPersonEvent, personEvent } from './provider-person-event.js'

/** The unique index decides between concurrent requests with the same address. */
const emailUsed = (error: unknown): never => {
  throw onViolation(error, 'provider_persons_customer_id_lower_email_key', providerPersonEmailUsed())
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
          const created = await tx.providerPerson.create({ data: { ...person, customerId: caller.customerId } })
          await outbox(tx, contactTopic, personEvent(created))
          return created
        })
        .catch(emailUsed),

    change: (caller: Employee, id: Id, changes: ProviderPersonChanges, expected?: number) =>
      db
        .write(caller, async (tx) => {
          const { version } = await reads.lock(tx, caller, id, expected)
          await named.keep(tx, caller, changes)
          const changed = await tx.providerPerson.update({ where: { id, customerId: caller.customerId }, data: changes })
          if (changed.version !== version) await outbox(tx, contactTopic, personEvent(changed))
        })
        .catch(emailUsed),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        const { version } = await reads.lock(tx, caller, id, expected)
        await tx.providerPerson.delete({ where: { id, customerId: caller.customerId } })
        await outbox(tx, contactTopic, deletedPersonEvent({ id, customerId: caller.customerId, version }))
      }),

    /** The person with an address, ignoring case; at most one. */
    withEmail: ({ customerId }: Employee, email: string) => db.query(office(customerId), withEmail({ customerId, email })),
  }
}

const withEmail = prepared(
  (param: ParamOf<{ customerId: Id; email: string }>) => sql<{ id: Id }>`
    SELECT id FROM provider_persons
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND lower(email) = lower(${param(({ email }) => email)}::text)`,
)

export type ProviderPersonRepository = ReturnType<typeof providerPersonRepository>
