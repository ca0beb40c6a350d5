import { type BatchStatement, office } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Fact } from '../notifications/notification.js'
import type { ServiceFact } from './service-notice.js'

export const serviceNoticeRepository = (db: Db, notify: (fact: Fact) => BatchStatement) => ({
  async notifyOnce(fact: ServiceFact): Promise<void> {
    await db.batch(office(fact.customerId), notify({ ...fact, fromUserId: null, issueId: null }))
  },
})
