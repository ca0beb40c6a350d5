import { choice, date, flagInteger, idInteger, integer, jsonValue, line, nullable, timestamp } from '@caseway/kit/fields'
import { defineResource, type RecordOf } from '@caseway/kit/resource'
import Type from 'typebox'

const figure = integer({ min: 0, max: 2_147_483_647 })
const few = 'A person gives some commands a day.'

/** A command to a mailbox, and its progress. Whoever gave it and the owner of the mailbox see it. */
export const mailCommandResource = defineResource({
  name: 'MailCommand',
  path: 'mail_command',
  table: 'mail_commands',
  fields: {
    id: idInteger,
    customer_id: idInteger,
    user_id: idInteger,
    command_id: integer({ min: 2, max: 4 }),
    mail_server_id: idInteger,
    folder_name: nullable(line({ max: 32 })),
    fetch_after_date: nullable(date),
    dry_run: flagInteger,
    status: choice('in_progress', 'done', 'failed', 'cancelled'),
    tasks_total: figure,
    tasks_done: figure,
    stored: figure,
    duplicates: figure,
    discarded: figure,
    errors: figure,
    /** In a dry run, the number of messages that it would store, by folder. */
    counts: nullable(jsonValue(Type.Record(Type.String(), Type.Integer()))),
    /** Until when a backfill pauses because it has used up the bytes of the day. */
    waits_until: nullable(timestamp),
    ended: nullable(timestamp),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['mail_server_id', 'status'],
  sort: ['id', 'modified'],
  unindexed: { status: few },
})

export type MailCommand = RecordOf<typeof mailCommandResource>
