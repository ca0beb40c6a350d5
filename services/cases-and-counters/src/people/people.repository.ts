import type { Client, Id } from '@caseway/kit/caller'
import { keepNewest, office, platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { CopiedCustomer, CopiedLink, CopiedUser } from './directory.js'

/** Copies of what auth knows. */
export const peopleRepository = (db: Db) => ({
  async hasUser(customerId: Id, id: Id): Promise<boolean> {
    return (await db.read(office(customerId)).user.count({ where: { customerId, id, active: true } })) > 0
  },

  async isLinked(customerId: Id, clientId: Id): Promise<boolean> {
    return (await db.read(office(customerId)).clientLink.count({ where: { customerId, clientId, linked: true } })) > 0
  },

  async officesOf(client: Client): Promise<Id[]> {
    const links = await db.read(client).clientLink.findMany({ where: { clientId: client.userId, linked: true } })
    return links.map(({ customerId }) => customerId)
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

  keepCustomers: (customers: readonly CopiedCustomer[]) =>
    db.write(platform, (tx) =>
      keepNewest(
        tx,
        'customers',
        customers.map(({ timeZone, ...customer }) => ({ ...customer, time_zone: timeZone })),
      ),
    ),

  keepLinks: (links: readonly CopiedLink[]) =>
    db.write(platform, (tx) =>
      keepNewest(
        tx,
        'client_links',
        links.map(({ customerId, clientId, ...link }) => ({ ...link, customer_id: customerId, client_id: clientId })),
      ),
    ),
})

export type PeopleRepository = ReturnType<typeof peopleRepository>
