import { integer } from '@caseway/kit/config'

/** The variables of the sending engine. */
export const sendingVariables = {
  SENDING_MAILBOXES: integer({
    ...{ default: 50, min: 1, max: 10_000 },
    help: 'Mailboxes for which one copy of the service sends at the same time, half of them at most of one office',
  }),
  MESSAGES_PER_HOUR: integer({
    ...{ default: 500, min: 1, max: 1_000_000 },
    help: 'Messages that one mailbox sends within an hour; those beyond them wait',
  }),
}
