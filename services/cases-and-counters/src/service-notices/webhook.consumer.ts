import { type Consumer, consumer } from '@caseway/kit/events'
import { webhookTopic } from '@caseway/protos/topics'
import { type Fact, noticesTo } from '../notifications/notification.js'

interface Notices {
  tell(fact: Fact): Promise<void>
}

/** Whoever made a webhook is notified when it was switched off. */
export const webhookNotices = ({ tell }: Notices): Consumer =>
  consumer(webhookTopic, ({ id, customerId, userId, revision }) =>
    tell({
      customerId,
      fromUserId: null,
      issueId: null,
      objectId: id,
      version: Number(revision),
      notices: noticesTo('webhook_disabled', userId),
    }),
  )
