import { choice, flagText, idText, integerText, nullable, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'

/** The time of some work; `ended` is null while the timer runs. */
export const workTimeResource = defineResource({
  name: 'WorkTime',
  path: 'work_time',
  table: 'work_times',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: idText,
    issue_id: writable(nullable(idText)),
    started: required(timestamp),
    ended: writable(nullable(timestamp)),
    seconds: nullable(integerText({ min: 0, max: 2 ** 31 - 1 })),
    kind: writable(choice('work', 'extra')),
    forgotten: flagText,
    created: timestamp,
    modified: timestamp,
  },
  filter: ['user_id', 'issue_id'],
  sort: ['id', 'started', 'modified'],
})

export type WorkTime = RecordOf<typeof workTimeResource>
export type NewWorkTime = InputOf<typeof workTimeResource>
export type NewTimer = Pick<NewWorkTime, 'issueId' | 'kind'>
export type WorkTimeChanges = ChangesOf<typeof workTimeResource>
