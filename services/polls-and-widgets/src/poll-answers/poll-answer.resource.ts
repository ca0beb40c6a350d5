import { experts } from '@caseway/kit/caller'
import { idInteger, jsonText, line, nullable, timestamp } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'
import Type from 'typebox'

const text = nullable(line({ max: 255 }))

export const pollAnswerResource = defineResource({
  name: 'PollAnswer',
  path: 'poll_answer',
  table: 'poll_answers',
  fields: {
    id: idInteger,
    customer_id: idInteger,
    user_ip: line({ max: 45 }),
    // The id of the answered poll, or of the widget where none was published.
    poll_id: idInteger,
    submission_time: timestamp,
    poll_json: jsonText(Type.Unknown()),
    email: text,
    firstname: text,
    lastname: text,
    phone: text,
    company: text,
    created: timestamp,
    modified: timestamp,
  },
  listAs: 'results',
  unwrapped: true,
  csv: true,
  filter: ['poll_id'],
  sort: ['id', 'submission_time', 'modified'],
  roles: { read: experts, remove: ['administrator'] },
})
