import { type Consumer, consumer } from '@caseway/kit/events'
import { mailboxTopic } from '@caseway/protos/topics'
import { noticesTo } from '../notifications/notification.js'
import type { NotifyOnce } from './service-notice.js'

/** Notifies the owner of a mailbox when it was stopped. */
export const mailboxNotices = (notifyOnce: NotifyOnce): Consumer =>
  consumer(mailboxTopic, ({ id, customerId, userId, revision }) =>
    notifyOnce({ customerId, objectId: id, version: Number(revision), notices: noticesTo('mail_error', userId) }),
  )
