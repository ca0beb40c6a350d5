import type { Employee, Id } from '@caseway/kit/caller'
import { type Counters, type FolderValue, issueNumbers, mailNumbers } from './counter.js'
import type { CounterRepository } from './counter.repository.js'
import type { ReadableFolders } from './folder-rights.js'
import type { CounterValue } from './issue-counter.js'
import type { IssueCounterRepository } from './issue-counter.repository.js'

export interface CounterSources {
  readonly counters: CounterRepository
  readonly issueCounters: IssueCounterRepository
  readonly readable: ReadableFolders
}

export const counterService = ({ counters, issueCounters, readable }: CounterSources) => {
  const mailOf = async (customerId: Id, user: Id, values: readonly FolderValue[]) =>
    mailNumbers(await readable(customerId, user, values), user)

  return {
    /** All counters of the caller. With `group`, the counters of cases are those of its members instead. */
    async read({ customerId, userId }: Employee, group?: ReadonlySet<Id>): Promise<Required<Counters>> {
      const people = [userId, ...(group ?? [])]
      const { issues, folders } = await counters.read(customerId, people, group === undefined)
      return { Issue: issueNumbers(issues, userId, group), MailReceivedMysqlMessage: await mailOf(customerId, userId, folders) }
    },

    /** The counters of each of these colleagues, without `myPerUser`. */
    async readFor({ customerId }: Employee, users: readonly Id[]): Promise<Map<Id, Required<Counters>>> {
      const { issues, folders } = await counters.read(customerId, users, false)
      const numbersOf = async (user: Id) => ({
        Issue: issueNumbers(issues, user),
        MailReceivedMysqlMessage: await mailOf(customerId, user, folders),
      })
      return new Map(await Promise.all(users.map(async (user) => [user, await numbersOf(user)] as const)))
    },

    /**
     * Compares the counters of an office with its cases, and corrects them if `repair` is set.
     * @returns the difference for each wrong counter: positive if it was too low, negative if too high
     */
    recount: (customerId: Id, { repair }: { repair: boolean }): Promise<CounterValue[]> =>
      repair ? issueCounters.repair(customerId) : issueCounters.drift(customerId),
  }
}

export type CounterService = ReturnType<typeof counterService>
