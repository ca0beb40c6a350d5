import type { BatchStatement } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Fact } from '../notifications/notification.js'
import { integrationNotices } from './integration.consumer.js'
import { partnerNoticeRepository } from './partner-notice.repository.js'
import { webhookNotices } from './webhook.consumer.js'

/** What employees are notified of that happened in the service partner. */
export function wirePartnerNotices(db: Db, notify: (fact: Fact) => BatchStatement) {
  const notices = partnerNoticeRepository(db, notify)
  return { consumers: [integrationNotices(notices), webhookNotices(notices)] }
}
