import { idText, nullable, once, paragraph, required, timestamp } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

export const commentResource = defineResource({
  name: 'Comment',
  path: 'comment',
  table: 'comments',
  fields: {
    id: idText,
    group_id: once(nullable(idText)),
    user_id: once(idText),
    issue_id: once(nullable(idText)),
    body: required(paragraph({ max: 10_000 })),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['group_id', 'issue_id'],
  sort: ['id', 'modified'],
})

export type NewComment = InputOf<typeof commentResource>
export type CommentChanges = ChangesOf<typeof commentResource>
