import type { Consumer, Copy } from '@caseway/kit/events'
import type { AuthDirectory } from '@caseway/people'
import type { LinkEvent, UserEvent } from '@caseway/protos/auth/v1/events'
import type { Db } from '../database.js'
import { employeeAddresses, linkedClients, respondents } from './sender.consumer.js'
import { senderRepository } from './sender.repository.js'
import { senderCopyRepository } from './sender-copy.repository.js'

/** Whom offices know by an address: their clients, the employees of every office, and who has answered a poll. */
export function wireSenders(db: Db, auth: AuthDirectory) {
  const directory = senderCopyRepository(db)
  const clients: Copy<LinkEvent[]> = {
    name: 'senders',
    consumer: linkedClients(directory),
    pages: auth.links,
    store: directory.keepClients,
    forget: directory.forgetClients,
  }
  const employees: Copy<UserEvent[]> = {
    name: 'employee_addresses',
    consumer: employeeAddresses(directory),
    pages: auth.users,
    store: directory.keepEmployees,
    forget: directory.forgetEmployees,
  }
  const consumers: readonly Consumer[] = [respondents(directory)]
  return { senders: senderRepository(db), copies: [clients, employees] as readonly Copy[], consumers }
}
