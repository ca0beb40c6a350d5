import { type IntegrationEvent, IntegrationState } from '@caseway/protos/partner/v1/events'
import { type Fact, noticesTo } from '../notifications/notification.js'

/** What somebody is notified of by an event of an integration; undefined where it is nothing. */
export function integrationFact({ id, customerId, userId, state, revision }: IntegrationEvent): Fact | undefined {
  if (state !== IntegrationState.BROKEN) return undefined
  const notices = noticesTo('integration_error', userId)
  return { customerId, fromUserId: null, issueId: null, objectId: id, version: Number(revision), notices }
}
