import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { Audit } from '../audit/audit-event.service.js'
import type { UserRoleService } from '../roles/user-role.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { NewEmployee, UserService } from '../users/user.service.js'
import type { CustomerRepository, NewCustomer } from './customer.repository.js'
import { type CustomerChanges, type CustomerRecord, customerResource } from './customer.resource.js'

export interface CustomerDependencies {
  readonly roles: UserRoleService
  readonly users: UserService
  readonly sessions: Pick<SessionService, 'endOfOffice'>
  readonly audit: Audit
  readonly fallbackZone: string
}

export const customerService = (customers: CustomerRepository, { roles, users, sessions, audit, fallbackZone }: CustomerDependencies) => {
  const change = (id: Id, changes: CustomerChanges, expected?: number): Promise<void> =>
    customers.change(id, changes, expected, async (before) => {
      const fields = changedFields(before, changes)
      if (fields.length === 0) return
      await audit.record({
        ...{ kind: 'office.changed', customerId: id, subject: { kind: 'customer', id } },
        details: { fields: fields.join(' ') },
      })
    })
  return {
    exists: async (id: Id): Promise<boolean> => (await customers.find(id)) !== null,

    timeZoneOf: async (id: Id): Promise<string> => (await customers.find(id))?.timeZone ?? fallbackZone,

    some: customers.some,

    stateOf: customers.stateOf,

    async own({ customerId }: Employee): Promise<CustomerRecord> {
      const customer = await customers.find(customerId)
      if (!customer) throw notFound()
      return customer as CustomerRecord
    },

    changeOwn: ({ customerId }: Employee, changes: CustomerChanges, expected?: number): Promise<void> =>
      change(customerId, changes, expected),

    /** @throws AppError `not-found` */
    change,

    /** Creates an office with the four built-in roles and its first administrator. */
    found: (customer: NewCustomer, administrator: Omit<NewEmployee, 'role'>): Promise<{ customerId: Id; userId: Id }> =>
      customers.create(customer, async (customerId) => {
        await roles.createBuiltIn(customerId)
        return { customerId, userId: await users.employ(customerId, { ...administrator, role: 'administrator' }) }
      }),

    /**
     * Closes an office: ends the sessions of its employees, and of clients whose other offices are all closed, refuses their sign-ins, and schedules the
     * deletion for `deletesAt`.
     * @throws AppError `not-found`
     */
    close: (id: Id, deletesAt: Date): Promise<void> =>
      customers.scheduleDeletion(id, deletesAt, async () => {
        await sessions.endOfOffice(id)
        await audit.record({ kind: 'office.closed', customerId: id, subject: { kind: 'customer', id } })
      }),

    /** Cancels a scheduled deletion. @throws AppError `not-found` when the office has been deleted */
    reopen: (id: Id): Promise<void> =>
      customers.scheduleDeletion(id, null, () =>
        audit.record({ kind: 'office.reopened', customerId: id, subject: { kind: 'customer', id } }),
      ),

    /** Deletes the offices that are due. The entry in the audit trail belongs to the installation, because the trail of the office is deleted with it. */
    async removeDue(): Promise<void> {
      for (const id of await customers.dueForDeletion()) {
        await customers.remove(id, () => audit.record({ kind: 'office.deleted', customerId: null, subject: { kind: 'customer', id } }))
      }
    },
  }
}

/** The names on the wire of what a change makes another value of. */
const changedFields = (before: object, changes: CustomerChanges): string[] => {
  const after: object = { ...before, ...changes }
  return customerResource.columns.flatMap(({ wire, name }) => (Reflect.get(after, name) === Reflect.get(before, name) ? [] : [wire]))
}

export type CustomerService = ReturnType<typeof customerService>
