import type { BatchStatement } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Fact } from '../notifications/notification.js'
import { integrationNotices } from './integration.consumer.js'
import { mailboxNotices } from './mailbox.consumer.js'
import { sentMessageNotices } from './sent-message.consumer.js'
import { serviceNoticeRepository } from './service-notice.repository.js'
import { webhookNotices } from './webhook.consumer.js'

/** What employees are notified of that happened in other services. */
export function wireServiceNotices(db: Db, notify: (fact: Fact) => BatchStatement) {
  const notices = serviceNoticeRepository(db, notify)
  return { consumers: [integrationNotices(notices), webhookNotices(notices), mailboxNotices(notices), sentMessageNotices(notices)] }
}
