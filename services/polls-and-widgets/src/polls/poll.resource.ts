import { experts } from '@caseway/kit/caller'
import { idText, integerText, jsonValue, line, nullable, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import Type from 'typebox'
import { wrongPoll } from './poll-blocks.js'

const versionNumber = integerText({ min: 1, max: 2 ** 31 - 1 })

/** The right to edit and publish polls. */
export const pollRight = 'widgets.manage'

export const pollResource = defineResource({
  name: 'Poll',
  path: 'poll',
  table: 'polls',
  fields: {
    id: idText,
    customer_id: idText,
    // Null for all widgets of the office.
    chat_widget_id: writable(nullable(idText)),
    name: required(line({ max: 255 })),
    blocks: required(jsonValue(Type.Array(Type.Unknown()), { refuse: wrongPoll })),
    closes_at: writable(nullable(timestamp)),
    version: versionNumber,
    // The published version. Where `version` is higher, the poll has changed since.
    published_version: nullable(versionNumber),
    published_at: nullable(timestamp),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['chat_widget_id'],
  sort: ['id', 'name', 'modified'],
  unindexed: { chat_widget_id: 'An office has some hundred polls.' },
  roles: { create: experts, update: experts, remove: experts },
  right: pollRight,
})

export type Poll = RecordOf<typeof pollResource>
export type NewPoll = InputOf<typeof pollResource>
export type PollChanges = ChangesOf<typeof pollResource>
