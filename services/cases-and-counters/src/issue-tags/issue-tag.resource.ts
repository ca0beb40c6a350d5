import { idText, once, required, timestamp } from '@caseway/kit/fields'
import { defineResource, type InputOf } from '@caseway/kit/resource'

/** The link of a tag with a case. */
export const issueTagResource = defineResource({
  name: 'IssueTag',
  path: 'issue_tag',
  table: 'issue_tags',
  fields: {
    id: idText,
    customer_id: idText,
    issue_id: required(once(idText)),
    tag_id: required(once(idText)),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['issue_id', 'tag_id'],
})

export type NewIssueTag = InputOf<typeof issueTagResource>
