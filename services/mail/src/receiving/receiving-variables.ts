import { choices, integer } from '@caseway/kit/config'

/** The variables of the receiving engine. */
export const receivingVariables = {
  ROLES: choices(['http', 'receive', 'send'], {
    default: ['http', 'receive', 'send'],
    help: 'What this copy of the service does beside answering: `receive` fetches the messages of mailboxes, `send` sends',
  }),
  MAILBOXES: integer({
    ...{ default: 200, min: 1, max: 10_000 },
    help: 'Mailboxes that one copy of the service receives at the same time, half of them at most of one office',
  }),
  FETCH_INTERVAL_SECONDS: integer({
    ...{ default: 60, min: 5, max: 3600 },
    help: 'Seconds between two looks at the folders of a mailbox, where its server does not say by itself what comes',
  }),
  BACKFILL_BYTES_PER_DAY: integer({
    ...{ default: 10_737_418_240, min: 1_048_576 },
    help: 'Bytes that backfills fetch of one mailbox within a day (UTC); then they wait for the next one. What is new is received meanwhile',
  }),
}
