import type { Employee, Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import type { NotificationRepository } from './notification.repository.js'
import type { NotificationChanges } from './notification.resource.js'

export const notificationService = ({ change, ...others }: Omit<NotificationRepository, 'follow' | 'notify'>) => ({
  ...others,

  /** Marks a notification as seen, which cannot be undone. @throws AppError `invalid`, `not-found`, `stale` */
  async change(caller: Employee, id: Id, { status }: NotificationChanges, expected?: number): Promise<void> {
    if (status === 'new') throw invalid({ status: 'must be seen' })
    await change(caller, id, { seen: status === 'seen' }, expected)
  },
})

export type NotificationService = ReturnType<typeof notificationService>
