import { choices, integer } from '@caseway/kit/config'

/** The variables of the receiving engine. */
export const receivingVariables = {
  ROLES: choices(['http', 'receive', 'send'], {
    default: ['http', 'receive', 'send'],
    help: 'What this copy of the service does besides serving requests: `receive` fetches messages of mailboxes, `send` sends messages',
  }),
  MAILBOXES: integer({
    ...{ default: 200, min: 1, max: 10_000 },
    help: 'Maximum number of mailboxes that one copy of the service receives at the same time, at most half of them for one office',
  }),
  FETCH_INTERVAL_SECONDS: integer({
    ...{ default: 60, min: 5, max: 3600 },
    help: 'Seconds between two checks of the folders of a mailbox that its server does not watch (IDLE)',
  }),
  BACKFILL_BYTES_PER_DAY: integer({
    ...{ default: 10_737_418_240, min: 1_048_576, max: Number.MAX_SAFE_INTEGER },
    help: 'Bytes that backfills fetch of one mailbox in a day (UTC); then they wait for the next day. New messages are still received',
  }),
}
