import { type Consumer, consumer } from '@caseway/kit/events'
import { webhookTopic } from '@caseway/protos/topics'
import { noticesTo } from '../notifications/notification.js'
import type { RecipientsOf } from './notice-recipients.service.js'
import type { NotifyOnce } from './service-notice.js'

/** Notifies the person who set up a webhook when it was disabled. */
export const webhookNotices = (notifyOnce: NotifyOnce, recipientsOf: RecipientsOf): Consumer =>
  consumer(webhookTopic, async ({ id, customerId, userId, revision }) => {
    const notices = noticesTo('webhook_disabled', ...(await recipientsOf(customerId, userId)))
    await notifyOnce({ customerId, objectId: id, version: Number(revision), notices })
  })
