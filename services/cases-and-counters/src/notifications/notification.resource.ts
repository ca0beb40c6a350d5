import { choice, idText, nullable, timestamp, updatable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource } from '@caseway/kit/resource'
import { notificationStatuses, notificationTypes } from './notification.js'

export const notificationResource = defineResource({
  name: 'Notification',
  path: 'notification',
  table: 'notifications',
  ownedBy: 'user_id',
  fields: {
    id: idText,
    user_id: idText,
    from_user_id: nullable(idText),
    issue_id: nullable(idText),
    status: updatable(choice(...notificationStatuses)),
    type: choice(...notificationTypes),
    created: timestamp,
  },
  filter: ['status'],
  sort: ['id'],
  defaultSort: '-id',
  unindexed: { status: 'A person has some hundred notifications, since seen ones are deleted.' },
})

export type NotificationChanges = ChangesOf<typeof notificationResource>
