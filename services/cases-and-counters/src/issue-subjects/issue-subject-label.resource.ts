import { experts } from '@caseway/kit/caller'
import { idText, line, once, required } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

/** The label that an office gives to a subject. */
export const issueSubjectLabelResource = defineResource({
  name: 'IssueSubjectLabel',
  alsoAccepts: ['IssueSubject'],
  path: 'issue_subject_label',
  table: 'issue_subject_labels',
  idField: 'issue_subject_id',
  fields: {
    issue_subject_id: required(once(idText)),
    label: required(line({ max: 255 })),
  },
  roles: { create: experts, update: experts, remove: experts },
})

export type NewIssueSubjectLabel = InputOf<typeof issueSubjectLabelResource>
export type IssueSubjectLabelChanges = ChangesOf<typeof issueSubjectLabelResource>
