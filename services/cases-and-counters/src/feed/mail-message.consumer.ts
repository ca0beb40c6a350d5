import { batchConsumer, type Consumer } from '@caseway/kit/events'
import { messageTopic } from '@caseway/protos/topics'
import type { MailOfEvent } from './changed-mail.js'

interface Feeds {
  /** Publishes the messages of events, idempotently by their ids. */
  publish(mail: readonly MailOfEvent[]): Promise<void>
}

/** Publishes changed messages to the live streams. */
export const changedMail = ({ publish }: Feeds): Consumer =>
  batchConsumer(messageTopic, (events, metas) => publish(events.map((event, index) => ({ ...event, eventId: metas[index]?.id ?? '' }))))
