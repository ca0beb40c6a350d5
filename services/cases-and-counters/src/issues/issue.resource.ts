import { experts } from '@caseway/kit/caller'
import { choice, idText, integerText, line, nullable, required, timestamp, updatable, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import { issueEmbeddable } from './board.js'
import { sources, statuses } from './issue.js'

const costly = 'Every new case pays for each index, and few lists use this field.'

export const issueResource = defineResource({
  name: 'Issue',
  path: 'issue',
  table: 'issues',
  fields: {
    id: idText,
    customer_id: idText,
    number: integerText({ min: 1, max: 2 ** 31 - 1 }),
    subject: required(line({ max: 255 })),
    issue_subject_id: writable(nullable(idText)),
    status: updatable(choice(...statuses)),
    user_id: writable(nullable(idText)),
    delegated_user_id: updatable(nullable(idText)),
    delegated_by: nullable(idText),
    group_id: writable(nullable(idText)),
    issue_initiator_id: writable(nullable(idText)),
    user_client_id: writable(nullable(idText)),
    provider_id: writable(nullable(idText)),
    source: writable(nullable(choice(...sources))),
    priority: writable(integerText({ min: 2, max: 4 })),
    deadline: writable(nullable(timestamp)),
    snoozed_until: writable(nullable(timestamp)),
    waiting_since: nullable(timestamp),
    first_response_at: nullable(timestamp),
    closed_at: nullable(timestamp),
    version: integerText({ min: 1, max: 2 ** 31 - 1 }),
    created: timestamp,
    modified: timestamp,
  },
  filter: [
    'status',
    'user_id',
    'delegated_user_id',
    'user_client_id',
    'source',
    'priority',
    'number',
    'issue_subject_id',
    'issue_initiator_id',
    'provider_id',
    'group_id',
  ],
  sort: ['id', 'number', 'modified', 'deadline'],
  embeddable: issueEmbeddable,
  search: { table: 'issue_documents', of: 'issue_id', found: 'matching_issues', foundNewest: true },
  unindexed: { deadline: costly, source: costly, priority: costly },
  roles: { remove: experts },
})

export type IssueRecord = RecordOf<typeof issueResource>
export type NewIssue = InputOf<typeof issueResource>
export type IssueChanges = ChangesOf<typeof issueResource>
