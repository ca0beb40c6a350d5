import { type Consumer, consumer } from '@caseway/kit/events'
import { webhookTopic } from '@caseway/protos/topics'
import { noticesTo } from '../notifications/notification.js'
import type { RecipientsOf } from './notice-recipients.service.js'
import type { Tell } from './service-notice.js'

/** Whoever made a webhook is notified when it was switched off. */
export const webhookNotices = (tell: Tell, recipientsOf: RecipientsOf): Consumer =>
  consumer(webhookTopic, async ({ id, customerId, userId, revision }) => {
    const notices = noticesTo('webhook_disabled', ...(await recipientsOf(customerId, userId)))
    await tell({ customerId, objectId: id, version: Number(revision), notices })
  })
