import type { BatchStatement } from '@caseway/kit/database'
import type { AuthDirectory, Users } from '@caseway/people'
import type { Db } from '../database.js'
import type { Fact } from '../notifications/notification.js'
import { integrationNotices } from './integration.consumer.js'
import { mailboxNotices } from './mailbox.consumer.js'
import { noticeRecipients } from './notice-recipients.service.js'
import { sentMessageNotices } from './sent-message.consumer.js'
import { serviceNoticeRepository } from './service-notice.repository.js'
import { webhookNotices } from './webhook.consumer.js'

interface Parts {
  readonly users: Users
  readonly auth: Pick<AuthDirectory, 'usersWithRight'>
  readonly notify: (fact: Fact) => BatchStatement
}

/** Notifications about facts of other services. */
export function wireServiceNotices(db: Db, { users, auth, notify }: Parts) {
  const { notifyOnce } = serviceNoticeRepository(db, notify)
  const recipientsOf = noticeRecipients({ users, usersWithRight: auth.usersWithRight })
  return {
    consumers: [
      integrationNotices(notifyOnce, recipientsOf),
      webhookNotices(notifyOnce, recipientsOf),
      mailboxNotices(notifyOnce),
      sentMessageNotices(notifyOnce),
    ],
  }
}
