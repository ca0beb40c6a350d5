import { type Consumer, consumer } from '@caseway/kit/events'
import { webhookTopic } from '@caseway/protos/topics'
import { type Fact, noticesTo } from '../notifications/notification.js'
import type { RecipientsOf } from './notice-recipients.service.js'

interface Notices {
  tell(fact: Fact): Promise<void>
  recipientsOf: RecipientsOf
}

/** Whoever made a webhook is notified when it was switched off. */
export const webhookNotices = ({ tell, recipientsOf }: Notices): Consumer =>
  consumer(webhookTopic, async ({ id, customerId, userId, revision }) =>
    tell({
      customerId,
      fromUserId: null,
      issueId: null,
      objectId: id,
      version: Number(revision),
      notices: noticesTo('webhook_disabled', ...(await recipientsOf(customerId, userId))),
    }),
  )
