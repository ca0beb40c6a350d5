import { batchConsumer } from '@caseway/kit/events'
import type { CustomerEvent, LinkEvent, UserEvent } from '@caseway/protos/auth/v1/events'
import type { ContactEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { answerTopic, contactTopic, customerTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { leadRow, type SenderRow } from './sender-row.js'

interface Directory {
  keep(rows: readonly SenderRow[]): Promise<void>
  keepClients(links: readonly LinkEvent[]): Promise<void>
  keepProviderPersons(persons: readonly ContactEvent[]): Promise<void>
  keepEmployees(users: readonly UserEvent[]): Promise<void>
  keepOffices(offices: readonly CustomerEvent[]): Promise<void>
}

export const linkedClients = ({ keepClients }: Directory) => batchConsumer(linkTopic, keepClients, 'senders: clients')

export const providerPersons = ({ keepProviderPersons }: Directory) =>
  batchConsumer(contactTopic, keepProviderPersons, 'senders: providers')

export const employeeAddresses = ({ keepEmployees }: Directory) => batchConsumer(userTopic, keepEmployees, 'senders: employees')

export const officeDomains = ({ keepOffices }: Directory) => batchConsumer(customerTopic, keepOffices, 'senders: offices')

/** Answers are facts without a snapshot: those before the first start are not known. */
export const respondents = ({ keep }: Directory) =>
  batchConsumer(answerTopic, (answers) => keep(answers.map(leadRow).filter((row) => row !== undefined)), 'senders: leads')
