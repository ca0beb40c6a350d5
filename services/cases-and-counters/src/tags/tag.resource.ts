import { flagText, hexColor, idText, line, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

export const tagResource = defineResource({
  name: 'Tag',
  path: 'tag',
  table: 'tags',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: writable(idText),
    name: required(line({ max: 100 })),
    color_background: writable(hexColor),
    color_text: writable(hexColor),
    issue: writable(flagText),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['issue', 'user_id'],
  sort: ['id', 'name', 'modified'],
  unindexed: { issue: 'An office has some hundred tags.', user_id: 'An office has some hundred tags.' },
})

export type NewTag = InputOf<typeof tagResource>
export type TagChanges = ChangesOf<typeof tagResource>
