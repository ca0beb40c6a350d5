import { experts } from '@caseway/kit/caller'
import { flagText, idText, line, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

export const issueSubjectResource = defineResource({
  name: 'IssueSubject',
  path: 'issue_subject',
  table: 'issue_subjects',
  fields: {
    id: idText,
    customer_id: idText,
    name: required(line({ max: 255 })),
    active: writable(flagText),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['active'],
  sort: ['id', 'name', 'modified'],
  unindexed: { active: 'An office has some hundred subjects.' },
  roles: { create: experts, update: experts, remove: experts },
})

export type NewIssueSubject = InputOf<typeof issueSubjectResource>
export type IssueSubjectChanges = ChangesOf<typeof issueSubjectResource>
