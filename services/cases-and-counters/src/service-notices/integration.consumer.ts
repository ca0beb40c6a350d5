import { type Consumer, consumer } from '@caseway/kit/events'
import { IntegrationState } from '@caseway/protos/partner/v1/events'
import { integrationTopic } from '@caseway/protos/topics'
import { noticesTo } from '../notifications/notification.js'
import type { RecipientsOf } from './notice-recipients.service.js'
import type { NotifyOnce } from './service-notice.js'

/** Notifies the person who connected their office with the accounting platform when the platform has ended the access. */
export const integrationNotices = (notifyOnce: NotifyOnce, recipientsOf: RecipientsOf): Consumer =>
  consumer(integrationTopic, async ({ id, customerId, userId, state, revision }) => {
    if (state !== IntegrationState.BROKEN) return
    const notices = noticesTo('integration_error', ...(await recipientsOf(customerId, userId)))
    await notifyOnce({ customerId, objectId: id, version: Number(revision), notices })
  })
