import { type Consumer, consumer } from '@caseway/kit/events'
import { messageTopic } from '@caseway/protos/topics'
import type { MailOfOffice } from './changed-mail.js'

interface Feeds {
  /** Once for each event. */
  publish(eventId: string, mail: MailOfOffice): Promise<void>
}

/** Messages that were changed are looked at again by the live streams. */
export const changedMail = ({ publish }: Feeds): Consumer => consumer(messageTopic, (event, { id }) => publish(id, event))
