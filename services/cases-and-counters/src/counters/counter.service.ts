import type { Employee, Id } from '@caseway/kit/caller'
import { type Counters, type FolderValue, issueNumbers, mailNumbers } from './counter.js'
import type { CounterRepository } from './counter.repository.js'
import type { ReadableFolders } from './folder-rights.js'
import type { CounterValue } from './issue-counter.js'
import type { IssueCounterRepository } from './issue-counter.repository.js'
import type { MailFolderCountRepository } from './mail-folder-count.repository.js'

export interface CounterSources {
  readonly counters: CounterRepository
  readonly issueCounters: IssueCounterRepository
  readonly folders: MailFolderCountRepository
  readonly readable: ReadableFolders
}

export const counterService = ({ counters, issueCounters, folders, readable }: CounterSources) => {
  const mailOf = async (customerId: Id, user: Id, values: readonly FolderValue[]) =>
    mailNumbers(await readable(customerId, user, values), user)

  return {
    /** All counters of the caller; those of cases for `group` instead of them when there is one. */
    async read({ customerId, userId }: Employee, group?: ReadonlySet<Id>): Promise<Required<Counters>> {
      const people = [userId, ...(group ?? [])]
      const { issues, folders } = await counters.read(customerId, people, group === undefined)
      return { Issue: issueNumbers(issues, userId, group), MailReceivedMysqlMessage: await mailOf(customerId, userId, folders) }
    },

    /** What each of these colleagues would read, without the list per user. */
    async readFor({ customerId }: Employee, users: readonly Id[]): Promise<Map<Id, Required<Counters>>> {
      const { issues, folders } = await counters.read(customerId, users, false)
      const numbersOf = async (user: Id) => ({
        Issue: issueNumbers(issues, user),
        MailReceivedMysqlMessage: await mailOf(customerId, user, folders),
      })
      return new Map(await Promise.all(users.map(async (user) => [user, await numbersOf(user)] as const)))
    },

    /**
     * Recounts an office's cases against its counters, and puts the counters right when `repair` is asked for.
     * @returns what was missing from each that was wrong; less than 0 where it showed too much
     */
    recount: (customerId: Id, { repair }: { repair: boolean }): Promise<CounterValue[]> =>
      repair ? issueCounters.repair(customerId) : issueCounters.drift(customerId),

    keepFolderCount: folders.keep,
  }
}

export type CounterService = ReturnType<typeof counterService>
