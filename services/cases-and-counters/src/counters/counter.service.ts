import type { Employee, Id } from '@caseway/kit/caller'
import { type Counters, issueNumbers, mailNumbers } from './counter.js'
import type { CounterRepository } from './counter.repository.js'
import type { CounterValue } from './issue-counter.js'
import type { IssueCounterRepository } from './issue-counter.repository.js'
import type { MailFolderCountRepository } from './mail-folder-count.repository.js'

export const counterService = (counters: CounterRepository, issueCounters: IssueCounterRepository, folders: MailFolderCountRepository) => ({
  /** All counters of the caller; those of cases for `group` instead of them when there is one. */
  async read(caller: Employee, group?: ReadonlySet<Id>): Promise<Required<Counters>> {
    const people = [caller.userId, ...(group ?? [])]
    const { issues, folders } = await counters.read(caller.customerId, people, group === undefined)
    return { Issue: issueNumbers(issues, caller.userId, group), MailReceivedMysqlMessage: mailNumbers(folders, caller.userId) }
  },

  /** What each of these colleagues would read, without the list per user. */
  async readFor({ customerId }: Employee, users: readonly Id[]): Promise<Map<Id, Required<Counters>>> {
    const { issues, folders } = await counters.read(customerId, users, false)
    return new Map(users.map((user) => [user, { Issue: issueNumbers(issues, user), MailReceivedMysqlMessage: mailNumbers(folders, user) }]))
  },

  /**
   * Recounts an office's cases against its counters, and puts the counters right when `repair` is asked for.
   * @returns what was missing from each that was wrong; less than 0 where it showed too much
   */
  recount: (customerId: Id, { repair }: { repair: boolean }): Promise<CounterValue[]> =>
    repair ? issueCounters.repair(customerId) : issueCounters.drift(customerId),

  keepFolderCount: folders.keep,
})

export type CounterService = ReturnType<typeof counterService>
