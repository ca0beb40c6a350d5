import { idText, line, paragraph, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

export const pollResource = defineResource({
  name: 'Poll',
  path: 'poll',
  table: 'polls',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: idText,
    title: required(line({ max: 200 })),
    text: writable(paragraph({ max: 10_000 })),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['user_id'],
  sort: ['id', 'title', 'modified'],
})

export type NewPoll = InputOf<typeof pollResource>
export type PollChanges = ChangesOf<typeof pollResource>
