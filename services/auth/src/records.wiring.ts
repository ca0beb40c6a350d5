import { resourceReads } from '@caseway/kit/database'
import { recordService, shownRecords } from '@caseway/kit/objects'
import { clientResource } from './clients/client.resource.js'
import { customerResource } from './customers/customer.resource.js'
import type { CustomerService } from './customers/customer.service.js'
import type { Db } from './database.js'
import { groupResource } from './groups/group.resource.js'
import { userResource } from './users/user.resource.js'

/** What other services show of offices and their people. */
export const wireRecords = (db: Db, customers: Pick<CustomerService, 'own' | 'timeZoneOf'>) =>
  recordService(
    customers.timeZoneOf,
    shownRecords(userResource, resourceReads(db, userResource)),
    shownRecords(clientResource, resourceReads(db, clientResource)),
    shownRecords(groupResource, resourceReads(db, groupResource)),
    // An office is a record of its own.
    shownRecords(customerResource, { some: async (caller, ids) => (ids.includes(caller.customerId) ? [await customers.own(caller)] : []) }),
  )
