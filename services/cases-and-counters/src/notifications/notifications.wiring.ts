import { recordEncoder } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { notificationRepository } from './notification.repository.js'
import { notificationResource } from './notification.resource.js'
import { notificationRoutes } from './notification.routes.js'
import { notificationService } from './notification.service.js'
import { notificationRetention } from './notification-retention.js'
import type { PublishingNotifications } from './publishing-notifications.js'

/** The notifications of employees. Other modules use `follow` and `notify` in the transactions of their facts; live streams show what is in `live`. */
export function wireNotifications(db: Db, publishing: PublishingNotifications) {
  const { follow, notify, ...own } = notificationRepository(db, publishing)
  const notifications = notificationService(own)
  return {
    live: { notifications, encodeNotification: recordEncoder(notificationResource) },
    follow,
    notify,
    routes: notificationRoutes(notifications),
    retention: notificationRetention,
  }
}
