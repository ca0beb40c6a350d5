import type { Consumer, Copy } from '@caseway/kit/events'
import type { AuthDirectory } from '@caseway/people'
import type { CustomerEvent, LinkEvent, UserEvent } from '@caseway/protos/auth/v1/events'
import type { ContactEvent } from '@caseway/protos/cases_and_counters/v1/events'
import type { Db } from '../database.js'
import type { ContactDirectory } from './contact-directory.js'
import { isPublicMailDomain } from './public-mail-domains.client.js'
import { employeeAddresses, linkedClients, officeDomains, providerPersons, respondents } from './sender.consumer.js'
import { senderRepository } from './sender.repository.js'
import { senderCopyRepository } from './sender-copy.repository.js'

/**
 * The directory of senders that offices know by their addresses: their clients, the persons of their providers, employees of all offices and anybody
 * at an office's domain, and visitors who have answered a poll.
 */
export function wireSenders(db: Db, auth: AuthDirectory, contacts: ContactDirectory) {
  const directory = senderCopyRepository(db, isPublicMailDomain)
  const clients: Copy<LinkEvent[]> = {
    name: 'senders',
    consumer: linkedClients(directory),
    pages: auth.links,
    store: directory.keepClients,
    forget: directory.forgetClients,
    endForgotten: directory.endClients,
  }
  const employees: Copy<UserEvent[]> = {
    name: 'employee_addresses',
    consumer: employeeAddresses(directory),
    pages: auth.users,
    store: directory.keepEmployees,
    forget: directory.forgetEmployees,
    endForgotten: directory.endEmployees,
  }
  const offices: Copy<CustomerEvent[]> = {
    name: 'office_domains',
    consumer: officeDomains(directory),
    pages: auth.customers,
    store: directory.keepOffices,
    forget: directory.forgetOffices,
  }
  const providers: Copy<ContactEvent[]> = {
    name: 'provider_persons',
    consumer: providerPersons(directory),
    pages: contacts.providerPersons,
    store: directory.keepProviderPersons,
    forget: directory.forgetProviderPersons,
    endForgotten: directory.endProviderPersons,
  }
  const consumers: readonly Consumer[] = [respondents(directory)]
  return { senders: senderRepository(db), copies: [clients, employees, offices, providers] as readonly Copy[], consumers }
}
