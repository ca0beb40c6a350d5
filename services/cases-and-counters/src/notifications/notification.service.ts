import type { Employee, Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import type { NotificationRepository } from './notification.repository.js'
import type { NotificationChanges } from './notification.resource.js'

export const notificationService = ({ markSeen, markAllSeen, ...reads }: Omit<NotificationRepository, 'follow' | 'notify'>) => ({
  ...reads,

  async change(caller: Employee, id: Id, { status }: NotificationChanges, expected?: number): Promise<void> {
    if (status !== 'seen') throw invalid({ status: 'must be seen' })
    await markSeen(caller, id, expected)
  },

  markAllSeen,
})

export type NotificationService = ReturnType<typeof notificationService>
