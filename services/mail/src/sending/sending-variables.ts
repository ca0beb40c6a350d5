import { integer } from '@caseway/kit/config'

/** The variables of the sending engine. */
export const sendingVariables = {
  SENDING_MAILBOXES: integer({
    ...{ default: 50, min: 1, max: 10_000 },
    help: 'Maximum number of mailboxes for which one copy of the service sends at the same time, at most half of them for one office',
  }),
  MESSAGES_PER_HOUR: integer({
    ...{ default: 500, min: 1, max: 1_000_000 },
    help: 'Maximum number of messages that one mailbox sends within an hour; further messages wait',
  }),
}
