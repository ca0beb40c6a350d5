import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db } from '../database.js'

/** The present state of people and groups, which other services query. */
export const peopleRepository = (db: Db) => ({
  user: (customerId: Id, id: Id) => db.read(office(customerId)).user.findFirst({ where: { id, customerId } }),
  link: (customerId: Id, userClientId: Id) => db.read(office(customerId)).clientLink.findFirst({ where: { customerId, userClientId } }),
  group: (customerId: Id, id: Id) => db.read(office(customerId)).group.findFirst({ where: { id, customerId, deleted: false } }),
})

export type PeopleRepository = ReturnType<typeof peopleRepository>
