import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db } from '../database.js'

/** What other services ask about a person at this moment. */
export const peopleRepository = (db: Db) => ({
  user: (customerId: Id, id: Id) => db.read(office(customerId)).user.findFirst({ where: { id, customerId } }),
  link: (customerId: Id, userClientId: Id) => db.read(office(customerId)).clientLink.findFirst({ where: { customerId, userClientId } }),
})

export type PeopleRepository = ReturnType<typeof peopleRepository>
