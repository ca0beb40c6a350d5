import type { Employee, Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import type { NotificationRepository } from './notification.repository.js'
import type { NotificationChanges } from './notification.resource.js'

/** @throws AppError `invalid` for a status that would undo that a notification was seen */
const requireSeen = ({ status }: NotificationChanges) => {
  if (status === 'new') throw invalid({ status: 'must be seen' })
}

export const notificationService = ({ change, markAllSeen, ...others }: Omit<NotificationRepository, 'follow' | 'notify'>) => ({
  ...others,

  /** Marks a notification as seen, which cannot be undone. @throws AppError `invalid`, `not-found`, `stale` */
  async change(caller: Employee, id: Id, changes: NotificationChanges, expected?: number): Promise<void> {
    requireSeen(changes)
    await change(caller, id, { seen: changes.status === 'seen' }, expected)
  },

  /** Marks all notifications of the caller as seen. @throws AppError `invalid` */
  async markAllSeen(caller: Employee, changes: NotificationChanges): Promise<void> {
    requireSeen(changes)
    await markAllSeen(caller)
  },
})

export type NotificationService = ReturnType<typeof notificationService>
