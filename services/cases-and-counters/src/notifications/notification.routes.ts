import { action, type Routes, resourceRoutes } from '@caseway/kit/http'
import { notificationResource } from './notification.resource.js'
import type { NotificationService } from './notification.service.js'

export const notificationRoutes = (notifications: NotificationService): Routes => [
  resourceRoutes(notificationResource, notifications),
  action(
    notificationResource,
    {
      method: 'PUT',
      path: '',
      operationId: 'markAllNotificationsSeen',
      summary: 'Marks all notifications of the caller as seen.',
      answers: { 200: { description: 'Done.', type: 'object', properties: { status: { const: 'OK' } } } },
    },
    async ({ caller }) => notifications.markAllSeen(caller),
  ),
]
