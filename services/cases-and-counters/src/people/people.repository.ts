import type { Id } from '@caseway/kit/caller'
import { forgetRevisions, keepNewest, office, platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { CopiedCustomer, CopiedUser } from './directory.js'

/** Copies of what auth knows. */
export const peopleRepository = (db: Db) => ({
  async hasUser(customerId: Id, id: Id): Promise<boolean> {
    return (await db.read(office(customerId)).user.count({ where: { customerId, id, active: true } })) > 0
  },

  async timeZoneOf(customerId: Id): Promise<string | undefined> {
    const customer = await db.read(office(customerId)).customer.findFirst({ where: { id: customerId } })
    return customer?.timeZone
  },

  keepUsers: (users: readonly CopiedUser[]) =>
    db.write(platform, (tx) =>
      keepNewest(
        tx,
        'users',
        users.map(({ customerId, ...user }) => ({ ...user, customer_id: customerId })),
      ),
    ),

  forgetUsers: () => forgetRevisions(db, 'users'),

  keepCustomers: (customers: readonly CopiedCustomer[]) =>
    db.write(platform, (tx) =>
      keepNewest(
        tx,
        'customers',
        customers.map(({ timeZone, ...customer }) => ({ ...customer, time_zone: timeZone })),
      ),
    ),

  forgetCustomers: () => forgetRevisions(db, 'customers'),
})

export type PeopleRepository = ReturnType<typeof peopleRepository>
