import { choice, idText, integerText, line, once, required, timestamp } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'
import { clientIssueEmbeddable } from './board.js'
import { statuses } from './issue.js'

/** A case as its client sees it, with the fields that a client may send. */
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
  embeddable: clientIssueEmbeddable,
  // Only the labels of texts that clients see, without those of the contact.
  search: { table: 'issue_documents', of: 'issue_id', labels: 'BD' },
})

export type NewClientIssue = InputOf<typeof clientIssueResource>
export type ClientIssueChanges = ChangesOf<typeof clientIssueResource>
