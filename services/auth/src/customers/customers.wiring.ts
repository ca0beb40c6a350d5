import type { Db } from '../database.js'
import { customerRepository } from './customer.repository.js'
import { customerRoutes } from './customer.routes.js'
import { type CustomerDependencies, customerService } from './customer.service.js'
import { officeDeletion } from './office-deletion.job.js'

/** The offices. */
export function wireCustomers(db: Db, dependencies: CustomerDependencies) {
  const customers = customerService(customerRepository(db), dependencies)
  return { customers, routes: customerRoutes(customers), job: officeDeletion(customers) }
}
