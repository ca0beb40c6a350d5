import { email, idText, line, nullable, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

/** The business card of a contact from whom cases come, and who may be a client of the office. */
export const issueInitiatorResource = defineResource({
  name: 'IssueInitiator',
  path: 'issue_initiator',
  table: 'issue_initiators',
  fields: {
    id: idText,
    customer_id: idText,
    first_name: required(line({ max: 100 })),
    last_name: required(line({ max: 100 })),
    email: writable(nullable(email)),
    phone: writable(nullable(line({ max: 40 }))),
    company_name: writable(nullable(line({ max: 255 }))),
    user_client_id: writable(nullable(idText)),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['email', 'user_client_id'],
  sort: ['id', 'last_name', 'modified'],
})

export type NewIssueInitiator = InputOf<typeof issueInitiatorResource>
export type IssueInitiatorChanges = ChangesOf<typeof issueInitiatorResource>
