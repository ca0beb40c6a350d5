import { type Consumer, consumer } from '@caseway/kit/events'
import { messageTopic } from '@caseway/protos/topics'
import type { MailOfOffice } from './changed-mail.js'

interface Feeds {
  /** Publishes the messages of an event, idempotently by its id. */
  publish(eventId: string, mail: MailOfOffice): Promise<void>
}

/** Publishes changed messages to the live streams. */
export const changedMail = ({ publish }: Feeds): Consumer => consumer(messageTopic, (event, { id }) => publish(id, event))
