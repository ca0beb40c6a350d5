import { publishAudit } from '@caseway/kit/audit'
import type { Client, Employee, Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, resourceReads, selection, statements } from '@caseway/kit/database'
import type { AppError } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import type { Db, Tx } from '../database.js'
import { noSuchRecord } from '../errors.js'
import { issueTopic } from '../events.js'
import type { Issue as IssueRow } from '../generated/client.js'
import { type ClientIssueRecord, clientIssueResource } from './client-issue.resource.js'
import { defaultPriority, type IssueState } from './issue.js'
import { type IssueChanges, type IssueRecord, issueResource, type NewIssue } from './issue.resource.js'
import type { Actor, IssueChange } from './issue-change.js'
import { issueEvent } from './issue-event.js'

/** What is written of a case: plain fields as they were sent, and the state that the rules made of the others. */
export type Written = Omit<IssueChanges, keyof IssueState> & Partial<IssueState>
export type Decision = (issue: IssueRecord) => Written

/** Another module that changes with a case, in the same transaction. */
type Follower = (tx: Tx, change: IssueChange) => Promise<void>

/** The transaction of an office in which a client writes; throws where they may not. */
type WriteAs = <T>(client: Client, customerId: Id, work: (tx: Tx) => Promise<T>, hidden?: AppError) => Promise<T>

export const issueRepository = (db: Db, followers: readonly Follower[], writeAs: WriteAs) => {
  const reads = resourceReads(db, issueResource)
  const own = resourceReads(db, clientIssueResource)

  /** Sent together, and run in this order: the followers take the locks at which the changes of an office meet. */
  const publish = async (tx: Tx, change: IssueChange) => {
    await Promise.all([outbox(tx, issueTopic, issueEvent(change)), ...followers.map((follow) => follow(tx, change))])
  }

  const apply = async (tx: Tx, actor: Actor, before: IssueRecord, decide: Decision) => {
    const where = { id: before.id, customerId: before.customerId }
    const after = await tx.issue.update({ where, data: decide(before) })
    await publish(tx, { actor, before, after: recordOf(after) })
  }

  const open = async (tx: Tx, { customerId, userId }: Actor, issue: NewIssue & IssueState): Promise<Id> => {
    const [after] = await db.query(office(customerId), insertIssue({ ...issue, customerId, priority: issue.priority ?? defaultPriority }))
    if (!after) throw new Error('The case was not written.')
    await publish(tx, { actor: { customerId, userId }, before: null, after })
    return after.id
  }

  return {
    ...reads,
    own,

    /** Those of `ids` that the office has. */
    some: async ({ customerId }: Employee, ids: readonly Id[]): Promise<IssueRecord[]> =>
      (await db.read(office(customerId)).issue.findMany({ where: { customerId, id: { in: [...ids] } } })).map(recordOf),

    /** Those of `ids` that are the client's. */
    someOwn: async (client: Client, ids: readonly Id[]): Promise<ClientIssueRecord[]> => {
      const userClientId = client.userId
      const rows = await db.read(client).issue.findMany({ where: { userClientId, id: { in: [...ids] } } })
      return rows.map((row) => ({ ...recordOf(row), userClientId }))
    },

    create: (caller: Employee, issue: NewIssue & IssueState): Promise<Id> => db.write(caller, (tx) => open(tx, caller, issue)),

    createOwn: (client: Client, customerId: Id, issue: NewIssue & IssueState): Promise<Id> =>
      writeAs(
        client,
        customerId,
        (tx) => open(tx, { customerId, userId: client.userId }, { ...issue, userClientId: client.userId }),
        noSuchRecord(['customer_id']),
      ),

    change: (caller: Employee, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => apply(tx, caller, await reads.lock(tx, caller, id, expected), decide)),

    /** A client reaches their own cases of all offices; what they change is written inside of the one office. */
    changeOwn: (client: Client, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(client, async (tx) => {
        const { customerId } = await own.lock(tx, client, id, expected)
        await writeAs(client, customerId, async (tx) => {
          const before = await tx.issue.findFirstOrThrow({ where: { id, customerId } })
          await apply(tx, { customerId, userId: client.userId }, recordOf(before), decide)
        })
      }),

    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        await tx.issue.delete({ where: { id, customerId: caller.customerId } })
        const subject = { kind: 'issue', id }
        await publishAudit(tx, { kind: 'issue.deleted', subject, details: { number: String(before.number) } })
        await publish(tx, { actor: caller, before, after: null })
      }),
  }
}

type OpenedIssue = NewIssue & IssueState & { customerId: Id }

const given = issueResource.columns.filter(({ wire }) => wire === 'status' || issueResource.create.some((field) => field === wire))

/** The case, with the next number of its office, whose row is locked until the commit. */
const insertIssue = prepared((param: ParamOf<OpenedIssue>) => {
  const columns = ['customer_id', 'number', ...given.map(({ wire }) => wire)]
  return statements<Record<string, Record<string, unknown>>>()
    .with('numbered', (sql) =>
      sql
        .insertInto('issue_numbers')
        .values({ customer_id: param(({ customerId }) => customerId), last: 1 })
        .onConflict((conflict) => conflict.column('customer_id').doUpdateSet((eb) => ({ last: eb('issue_numbers.last', '+', 1) })))
        .returning(['customer_id', 'last']),
    )
    .insertInto('issues')
    .columns(columns)
    .expression((eb) =>
      eb.selectFrom('numbered').select([
        'customer_id',
        'last',
        ...given.map(({ wire, name, field }) => {
          const value = param((issue) => issue[name as keyof OpenedIssue] ?? null)
          return eb.cast(eb.val(value), field.sql as 'text').as(wire)
        }),
      ]),
    )
    .returning(selection(issueResource))
    .$castTo<IssueRecord>()
})

/** A check constraint keeps the status, and the resource the source, to the words that there are. */
const recordOf = (row: IssueRow) => row as IssueRecord

export type IssueRepository = ReturnType<typeof issueRepository>
