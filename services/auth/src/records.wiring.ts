import { resourceReads } from '@caseway/kit/database'
import { recordService, shownRecords } from '@caseway/kit/objects'
import { clientResource } from './clients/client.resource.js'
import { customerResource } from './customers/customer.resource.js'
import type { CustomerService } from './customers/customer.service.js'
import type { Db } from './database.js'
import { groupResource } from './groups/group.resource.js'
import { userResource } from './users/user.resource.js'

/** The records of offices and their people that other services may show. */
export const wireRecords = (db: Db, customers: Pick<CustomerService, 'own' | 'timeZoneOf'>) =>
  recordService(
    customers.timeZoneOf,
    shownRecords(userResource, resourceReads(db, userResource)),
    shownRecords(clientResource, resourceReads(db, clientResource)),
    shownRecords(groupResource, resourceReads(db, groupResource)),
    // An office sees only itself.
    shownRecords(customerResource, { some: async (caller, ids) => (ids.includes(caller.customerId) ? [await customers.own(caller)] : []) }),
  )
