import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, statements } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { FolderValue, MailFolder } from './counter.js'
import { type CounterValue, type IssueCounter, noUser } from './issue-counter.js'

interface Tables {
  issue_counters: { customer_id: Id; counter: string; user_id: Id; other_user_id: Id; value: number }
  mail_folder_counts: { customer_id: Id; folder: string; user_id: Id; folder_id: Id; value: number; removed: boolean }
}

const sql = statements<Tables>()

const customer = ({ customerId }: Query) => customerId
const users = ({ users }: Query) => users

interface Query {
  readonly customerId: Id
  readonly users: readonly Id[]
}

const issueRows = (param: ParamOf<Query>, everybody: boolean) =>
  sql
    .selectFrom('issue_counters')
    .select((eb) => [
      eb.lit(true).$castTo<boolean>().as('ofIssues'),
      'counter as name',
      'user_id as userId',
      'other_user_id as otherId',
      'value',
    ])
    .where('customer_id', '=', param(customer))
    .where('value', '<>', 0)
    .where((eb) => {
      const any = eb.fn.any(eb.val(param(users)))
      const delegated = eb.and([eb('counter', '=', 'delegated'), eb('other_user_id', '=', any)])
      return eb.or([eb('user_id', '=', any), delegated, ...(everybody ? [eb('counter', '=', 'owned')] : [])])
    })

const folderRows = (param: ParamOf<Query>) =>
  sql
    .selectFrom('mail_folder_counts')
    .select((eb) => [
      eb.lit(false).$castTo<boolean>().as('ofIssues'),
      'folder as name',
      'user_id as userId',
      'folder_id as otherId',
      'value',
    ])
    .where('customer_id', '=', param(customer))
    .where('removed', '=', false)
    .where((eb) => eb('user_id', '=', eb.fn.any(eb.val(param(users)))))

const rowsOf = (everybody: boolean) => prepared((param: ParamOf<Query>) => issueRows(param, everybody).unionAll(folderRows(param)))
const ofPeople = rowsOf(false)
const ofEverybody = rowsOf(true)

export interface CounterRows {
  readonly issues: CounterValue[]
  readonly folders: FolderValue[]
}

export const counterRepository = (db: Db) => ({
  /**
   * The counter rows of these people and of the office, with those of all owners if `everybody` is set, in one statement. The cost depends on the number
   * of these rows, not on the number of cases.
   */
  async read(customerId: Id, people: readonly Id[], everybody: boolean): Promise<CounterRows> {
    const query = { customerId, users: [noUser, ...people] }
    const rows = await db.pipelined.query(office(customerId), everybody ? ofEverybody(query) : ofPeople(query))
    const [issues, folders] = [rows.filter(({ ofIssues }) => ofIssues), rows.filter(({ ofIssues }) => !ofIssues)]
    return {
      issues: issues.map(({ name, userId, otherId, value }) => ({ counter: name as IssueCounter, userId, otherUserId: otherId, value })),
      folders: folders.map(({ name, userId, otherId, value }) => ({ folder: name as MailFolder, userId, folderId: otherId, value })),
    }
  },
})

export type CounterRepository = ReturnType<typeof counterRepository>
