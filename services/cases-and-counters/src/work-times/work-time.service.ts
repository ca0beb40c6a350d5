import type { Employee, Id } from '@caseway/kit/caller'
import { entered, timeProblems } from './interval.js'
import type { WorkTimeRepository } from './work-time.repository.js'
import type { NewWorkTime, WorkTimeChanges } from './work-time.resource.js'

/** The work times of employees, who record their own by a timer or by hand. */
export const workTimeService = (workTimes: WorkTimeRepository) => ({
  ...workTimes,

  /** The invalid fields of a timer. */
  timerErrors: workTimes.fieldErrors,

  async fieldErrors(caller: Employee, sent: WorkTimeChanges, id?: Id) {
    const before = id === undefined ? null : await workTimes.find(caller, id)
    const times = id === undefined ? { ended: null, ...sent } : sent
    return { ...timeProblems(times, before, new Date()), ...(await workTimes.fieldErrors(caller, sent)) }
  },

  create: async (caller: Employee, { ended = null, ...input }: NewWorkTime): Promise<Id> =>
    workTimes.create(caller, entered({ ...input, ended }, null, new Date())),

  change: (caller: Employee, id: Id, changes: WorkTimeChanges, expected?: number): Promise<void> =>
    workTimes.change(caller, id, changes, (before) => entered({ ...before, ...changes }, before, new Date()), expected),
})

export type WorkTimeService = ReturnType<typeof workTimeService>
