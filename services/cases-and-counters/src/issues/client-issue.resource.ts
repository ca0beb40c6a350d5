import { choice, idText, integerText, line, once, required, timestamp } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'
import { besideClientIssue } from './board.js'
import { statuses } from './issue.js'

/** What a client sees of their cases, and may say. */
export const clientIssueResource = defineResource({
  name: 'Issue',
  path: 'issue',
  table: 'issues',
  audience: 'client',
  ownedBy: 'user_client_id',
  fields: {
    id: idText,
    customer_id: once(idText),
    number: integerText({ min: 1, max: 2 ** 31 - 1 }),
    subject: required(line({ max: 255 })),
    status: choice(...statuses),
    user_client_id: idText,
    created: timestamp,
    modified: timestamp,
  },
  filter: ['customer_id', 'status'],
  sort: ['id', 'modified'],
  embeddable: besideClientIssue,
  // The labels of what clients see: not of the contact of the case.
  search: { table: 'issue_documents', of: 'issue_id', labels: 'BD' },
})

export type NewClientIssue = InputOf<typeof clientIssueResource>
export type ClientIssueChanges = ChangesOf<typeof clientIssueResource>
