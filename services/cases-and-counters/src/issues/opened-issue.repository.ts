import type { Id } from '@caseway/kit/caller'
import { type ParamOf, prepared, sql, statements } from '@caseway/kit/database'
import { outboxStatement } from '@caseway/kit/events'
import { IssueEvent, IssueState as IssueStateMessage } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic } from '@caseway/protos/topics'
import type { IssueState } from './issue.js'
import { type IssueRecord, issueResource, type NewIssue } from './issue.resource.js'
import type { IssueChange } from './issue-change.js'
import { issueEvent } from './issue-event.js'

/** The columns of a new case. */
export type InsertedIssue = NewIssue & IssueState & Partial<Pick<IssueRecord, 'waitingSince'>>
type Columns = InsertedIssue & { customerId: Id }

const insertedColumns = issueResource.columns.filter(
  ({ wire }) => wire === 'status' || wire === 'waiting_since' || wire in issueResource.create,
)

/** Inserts a case with the next number of its office. The row of the numbers is locked until the commit. */
export const insertIssue = prepared((param: ParamOf<Columns>) => {
  const columns = ['customer_id', 'number', ...insertedColumns.map(({ wire }) => wire)]
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
        ...insertedColumns.map(({ wire, name, field }) => {
          const value = param((issue) => issue[name as keyof Columns] ?? null)
          return eb.cast(eb.val(value), field.sql as 'text').as(wire)
        }),
      ]),
    )
    .returning('id')
    .$castTo<{ id: Id }>()
})

/** Inserts the event of the case that this transaction has just inserted, with its id and number. */
const insertCompleted = outboxStatement(issueTopic, (param: ParamOf<{ event: ReturnType<typeof issueEvent> }>) => {
  const event = param(({ event }) => IssueEvent.encode({ ...event, state: undefined }).finish())
  const state = param(({ event }) => IssueStateMessage.encode(event.state).finish())
  const number = sql`(SELECT last FROM issue_numbers WHERE customer_id = ${param(({ event }) => event.customerId)})`
  return sql`
    kit.protobuf_int64(1, currval('issues_id_seq')) || ${event}::bytea || kit.protobuf_message(4, kit.protobuf_int64(1, ${number}) || ${state}::bytea)`
})

export const insertOpenedEvent = (change: IssueChange) => insertCompleted({ event: issueEvent(change) })
