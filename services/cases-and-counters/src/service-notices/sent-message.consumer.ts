import { type Consumer, consumer } from '@caseway/kit/events'
import { sentMessageTopic } from '@caseway/protos/topics'
import { noticesTo } from '../notifications/notification.js'
import type { Tell } from './service-notice.js'

/**
 * Whoever has written a message is notified when it could not be sent. Messages and mailboxes are numbered apart, and notified of by the same type: versions of
 * messages are negative, so that none stands for one of a mailbox.
 */
export const sentMessageNotices = (tell: Tell): Consumer =>
  consumer(sentMessageTopic, ({ id, customerId, userId, revision }) =>
    tell({ customerId, objectId: id, version: -Number(revision), notices: noticesTo('mail_error', userId) }),
  )
