import { action, type Body, ok, type Routes, resourceRoutes, wrappedBody } from '@caseway/kit/http'
import { type NotificationChanges, notificationResource } from './notification.resource.js'
import type { NotificationService } from './notification.service.js'

const { status } = notificationResource.fields
const changes = wrappedBody(notificationResource.name, { status }, { partial: true })

const isEmpty = (body: unknown) => Object.keys(Object(body)).length === 0

/** The body of a change of one notification, which may be missing or empty. */
const optionalChanges: Body<NotificationChanges> = {
  schema: { ...changes.schema, required: [] },
  read: (body, zone) => (isEmpty(body) ? {} : changes.read(body, zone)),
}

export const notificationRoutes = (notifications: NotificationService): Routes => [
  resourceRoutes(notificationResource, notifications),
  action(
    notificationResource,
    {
      method: 'PUT',
      path: '',
      operationId: 'markAllNotificationsSeen',
      summary: 'Marks all notifications of the caller as seen.',
      body: optionalChanges,
      answers: { 200: ok },
    },
    async ({ caller, body }) => notifications.markAllSeen(caller, body),
  ),
]
