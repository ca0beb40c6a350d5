import {
  type ChangesOf,
  choice,
  defineResource,
  type InputOf,
  idText,
  integerText,
  line,
  nullable,
  type RecordOf,
  readOnly,
  timestamp,
} from '@caseway/kit/resource'
import { statuses } from './issue.js'

const sources = ['mail', 'chat', 'portal', 'poll', 'partner', 'phone'] as const

const costly = 'Each index of cases is paid for by each new case, and few lists ask for this one.'

export const issueResource = defineResource({
  name: 'Issue',
  path: 'issue',
  table: 'issues',
  fields: {
    id: idText,
    customer_id: idText,
    number: readOnly(integerText({ min: 1, max: 2 ** 31 - 1 })),
    subject: line({ max: 255 }),
    issue_subject_id: nullable(idText),
    status: choice(...statuses),
    user_id: nullable(idText),
    delegated_user_id: nullable(idText),
    delegated_by: readOnly(nullable(idText)),
    group_id: nullable(idText),
    issue_initiator_id: nullable(idText),
    user_client_id: nullable(idText),
    provider_id: nullable(idText),
    source: nullable(choice(...sources)),
    priority: integerText({ min: 2, max: 4 }),
    deadline: nullable(timestamp),
    snoozed_until: nullable(timestamp),
    waiting_since: readOnly(nullable(timestamp)),
    first_response_at: readOnly(nullable(timestamp)),
    closed_at: readOnly(nullable(timestamp)),
    version: readOnly(integerText({ min: 1, max: 2 ** 31 - 1 })),
    created: timestamp,
    modified: timestamp,
  },
  create: [
    'subject',
    'issue_subject_id',
    'user_id',
    'group_id',
    'issue_initiator_id',
    'user_client_id',
    'provider_id',
    'source',
    'priority',
    'deadline',
    'snoozed_until',
  ],
  required: ['subject'],
  update: [
    'subject',
    'issue_subject_id',
    'status',
    'user_id',
    'delegated_user_id',
    'group_id',
    'issue_initiator_id',
    'user_client_id',
    'provider_id',
    'source',
    'priority',
    'deadline',
    'snoozed_until',
  ],
  filter: ['status', 'user_id', 'delegated_user_id', 'user_client_id', 'source', 'priority', 'number'],
  sort: ['id', 'number', 'modified', 'deadline'],
  unindexed: { deadline: costly, delegated_user_id: costly, source: costly, priority: costly },
  roles: { remove: ['administrator', 'expert'] },
})

export type IssueRecord = RecordOf<typeof issueResource>
export type NewIssue = InputOf<typeof issueResource>
export type IssueChanges = ChangesOf<typeof issueResource>
