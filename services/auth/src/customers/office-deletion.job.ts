import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'
import type { CustomerService } from './customer.service.js'

const everyMs = 60_000

/** Deletes the offices whose deletion is due. */
export const officeDeletion = (customers: Pick<CustomerService, 'removeDue'>): JobHandler<unknown> =>
  scheduledJob('office-deletion', { every: everyMs }, () => customers.removeDue())
