import { type Consumer, consumer } from '@caseway/kit/events'
import { IntegrationState } from '@caseway/protos/partner/v1/events'
import { integrationTopic } from '@caseway/protos/topics'
import { type Fact, noticesTo } from '../notifications/notification.js'
import type { RecipientsOf } from './notice-recipients.service.js'

interface Notices {
  tell(fact: Fact): Promise<void>
  recipientsOf: RecipientsOf
}

/** Whoever connected their office with the accounting platform is notified when that has ended the access. */
export const integrationNotices = ({ tell, recipientsOf }: Notices): Consumer =>
  consumer(integrationTopic, async ({ id, customerId, userId, state, revision }) => {
    if (state !== IntegrationState.BROKEN) return
    const notices = noticesTo('integration_error', ...(await recipientsOf(customerId, userId)))
    await tell({ customerId, fromUserId: null, issueId: null, objectId: id, version: Number(revision), notices })
  })
