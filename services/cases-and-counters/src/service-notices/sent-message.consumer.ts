import { type Consumer, consumer } from '@caseway/kit/events'
import { sentMessageTopic } from '@caseway/protos/topics'
import { noticesTo } from '../notifications/notification.js'
import type { NotifyOnce } from './service-notice.js'

/**
 * Notifies the author of a message that could not be sent. Ids of messages and mailboxes overlap within one type of notification, so versions of messages
 * are stored as negative numbers.
 */
export const sentMessageNotices = (notifyOnce: NotifyOnce): Consumer =>
  consumer(sentMessageTopic, ({ id, customerId, userId, revision }) =>
    notifyOnce({ customerId, objectId: id, version: -Number(revision), notices: noticesTo('mail_error', userId) }),
  )
