import {
  type ChangesOf,
  choice,
  defineResource,
  type InputOf,
  idText,
  integerText,
  line,
  type RecordOf,
  readOnly,
  timestamp,
} from '@caseway/kit/resource'
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
    customer_id: idText,
    number: readOnly(integerText({ min: 1, max: 2 ** 31 - 1 })),
    subject: line({ max: 255 }),
    status: readOnly(choice(...statuses)),
    user_client_id: readOnly(idText),
    created: timestamp,
    modified: timestamp,
  },
  create: ['customer_id', 'subject'],
  required: ['subject'],
  update: ['subject'],
  filter: ['customer_id', 'status'],
  sort: ['id', 'modified'],
})

export type ClientIssueRecord = RecordOf<typeof clientIssueResource>
export type NewClientIssue = InputOf<typeof clientIssueResource>
export type ClientIssueChanges = ChangesOf<typeof clientIssueResource>
