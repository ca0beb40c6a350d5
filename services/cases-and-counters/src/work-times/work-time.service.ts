import type { Employee, Id } from '@caseway/kit/caller'
import { entered } from './interval.js'
import type { WorkTimeRepository } from './work-time.repository.js'
import type { NewWorkTime, WorkTimeChanges } from './work-time.resource.js'

/** Everybody enters their own work times, by a timer or by hand. */
export const workTimeService = (workTimes: WorkTimeRepository) => ({
  ...workTimes,

  create: async (caller: Employee, { ended = null, ...input }: NewWorkTime): Promise<Id> =>
    workTimes.create(caller, entered({ ...input, ended }, null, new Date())),

  change: (caller: Employee, id: Id, changes: WorkTimeChanges, expected?: number): Promise<void> =>
    workTimes.change(caller, id, changes, (before) => entered({ ...before, ...changes }, before, new Date()), expected),
})

export type WorkTimeService = ReturnType<typeof workTimeService>
