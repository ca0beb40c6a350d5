import { type ChangesOf, defineResource, flagText, hexColor, type InputOf, idText, line, timestamp } from '@caseway/kit/resource'

const few = 'An office has some hundred tags.'

export const tagResource = defineResource({
  name: 'Tag',
  path: 'tag',
  table: 'tags',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: idText,
    name: line({ max: 100 }),
    color_background: hexColor,
    color_text: hexColor,
    issue: flagText,
    created: timestamp,
    modified: timestamp,
  },
  create: ['user_id', 'name', 'color_background', 'color_text', 'issue'],
  required: ['name'],
  update: ['name', 'color_background', 'color_text', 'issue'],
  filter: ['issue', 'user_id'],
  sort: ['id', 'name', 'modified'],
  unindexed: { issue: few, user_id: few },
})

export type NewTag = InputOf<typeof tagResource>
export type TagChanges = ChangesOf<typeof tagResource>
