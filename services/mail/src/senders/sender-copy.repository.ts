import { forgetRevisions, newestStatement, platform } from '@caseway/kit/database'
import type { CustomerEvent, LinkEvent, UserEvent } from '@caseway/protos/auth/v1/events'
import type { ContactEvent } from '@caseway/protos/cases_and_counters/v1/events'
import type { Db } from '../database.js'
import type { IsPublic } from './office-domain.js'
import { addressHash } from './sender.repository.js'
import { clientRow, employeeRow, isProviderPerson, officeDomainRow, providerPersonRow, type SenderRow } from './sender-row.js'

/** Writes the directory of senders: for each of them the state with the highest revision wins. */
export const senderCopyRepository = (db: Db, isPublic: IsPublic) => {
  const keep = async ([first, ...others]: readonly SenderRow[]) => {
    if (first) await db.batch(platform, newestStatement('senders', [first, ...others], ['customer_id', 'kind', 'id']))
  }
  /** After a snapshot: senders that it did not contain are not known any more. */
  const endForgotten = (table: 'senders' | 'employee_addresses', only = 'true') =>
    db.write(platform, (tx) => tx.$executeRawUnsafe(`UPDATE ${table} SET known = false WHERE revision = -1 AND known AND ${only}`))
  return {
    keep,
    keepClients: (links: readonly LinkEvent[]) => keep(links.map(clientRow)),

    async keepEmployees(users: readonly UserEvent[]): Promise<void> {
      const [first, ...others] = users.map((user) => employeeRow(user, addressHash))
      if (first) await db.batch(platform, newestStatement('employee_addresses', [first, ...others], ['user_id']))
    },

    async keepOffices(offices: readonly CustomerEvent[]): Promise<void> {
      const [first, ...others] = offices.filter(({ deleted }) => !deleted).map((one) => officeDomainRow(one, isPublic))
      if (first) await db.batch(platform, newestStatement('office_domains', [first, ...others], ['customer_id']))
    },

    keepProviderPersons: (persons: readonly ContactEvent[]) => keep(persons.filter(isProviderPerson).map(providerPersonRow)),

    forgetClients: () => forgetRevisions(db, 'senders', { only: "kind = 'client'" }),
    forgetProviderPersons: () => forgetRevisions(db, 'senders', { only: "kind = 'provider'" }),
    forgetEmployees: () => forgetRevisions(db, 'employee_addresses'),
    endClients: () => endForgotten('senders', "kind = 'client'"),
    endProviderPersons: () => endForgotten('senders', "kind = 'provider'"),
    endEmployees: () => endForgotten('employee_addresses'),
    forgetOffices: () => forgetRevisions(db, 'office_domains'),
  }
}
