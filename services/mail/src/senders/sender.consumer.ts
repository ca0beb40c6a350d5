import { consumer } from '@caseway/kit/events'
import type { LinkEvent, UserEvent } from '@caseway/protos/auth/v1/events'
import { answerTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { leadRow, type SenderRow } from './sender-row.js'

interface Directory {
  keep(rows: readonly SenderRow[]): Promise<void>
  keepClients(links: readonly LinkEvent[]): Promise<void>
  keepEmployees(users: readonly UserEvent[]): Promise<void>
}

export const linkedClients = ({ keepClients }: Directory) => consumer(linkTopic, (link) => keepClients([link]), 'senders: clients')

export const employeeAddresses = ({ keepEmployees }: Directory) =>
  consumer(userTopic, (user) => keepEmployees([user]), 'senders: employees')

/** Answers are facts: there is no snapshot of them, so that those before the first start are not known. */
export const respondents = ({ keep }: Directory) =>
  consumer(
    answerTopic,
    async (answer) => {
      const row = leadRow(answer)
      if (row) await keep([row])
    },
    'senders: leads',
  )
