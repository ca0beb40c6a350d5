import { type Consumer, consumer } from '@caseway/kit/events'
import { mailboxTopic } from '@caseway/protos/topics'
import { type Fact, noticesTo } from '../notifications/notification.js'

interface Notices {
  tell(fact: Fact): Promise<void>
}

/** The owner of a mailbox is notified when it was stopped. */
export const mailboxNotices = ({ tell }: Notices): Consumer =>
  consumer(mailboxTopic, ({ id, customerId, userId, revision }) =>
    tell({
      customerId,
      fromUserId: null,
      issueId: null,
      objectId: id,
      version: Number(revision),
      notices: noticesTo('mail_error', userId),
    }),
  )
