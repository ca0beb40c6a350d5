import type { Id } from '@caseway/kit/caller'
import { type BatchStatement, office, type ParamOf, prepared, sql, statements } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { activeStatuses, type Status } from '../issues/issue.js'
import type { IssueChange } from '../issues/issue-change.js'
import { type CounterValue, concerned, contributions, difference, type IssueCounter, total } from './issue-counter.js'

interface Tables {
  issue_counters: { customer_id: Id; counter: string; user_id: Id; other_user_id: Id; value: number }
  issues: { customer_id: Id; status: string; user_id: Id | null; delegated_by: Id | null; delegated_user_id: Id | null }
}

/** The statement that publishes changed counters to the live streams of these people; `noUser` stands for everybody of the office. */
export type PublishCounters = (customerId: Id, userIds: readonly Id[]) => BatchStatement

const tables = statements<Tables>()

const itself = (customerId: Id) => customerId

/** Groups of cases that count alike, and the stored counters, in one statement and therefore from one snapshot. */
const countedAndStored = prepared((param: ParamOf<Id>) =>
  tables
    .selectFrom('issues')
    .select((eb) => [
      eb.lit(false).$castTo<boolean>().as('isStored'),
      'status as name',
      'user_id as userId',
      'delegated_by as otherId',
      'delegated_user_id as delegatedUserId',
      eb.cast<number>(eb.fn.countAll(), 'integer').as('value'),
    ])
    .where('customer_id', '=', param(itself))
    .where((eb) => eb('status', '=', eb.fn.any(eb.val(activeStatuses))))
    .groupBy(['status', 'user_id', 'delegated_by', 'delegated_user_id'])
    .unionAll(
      tables
        .selectFrom('issue_counters')
        .select((eb) => [
          eb.lit(true).$castTo<boolean>().as('isStored'),
          'counter as name',
          eb.ref('user_id').$castTo<Id | null>().as('userId'),
          eb.ref('other_user_id').$castTo<Id | null>().as('otherId'),
          eb.cast<Id | null>(eb.lit(null), 'bigint').as('delegatedUserId'),
          'value',
        ])
        .where('customer_id', '=', param(itself)),
    ),
)

export const issueCounterRepository = (db: Db, publish: PublishCounters) => {
  /** The differences between cases and stored counters: positive where a counter is too low. Empty if all are right. */
  const drift = async (customerId: Id): Promise<CounterValue[]> => {
    const rows = await db.query(office(customerId), countedAndStored(customerId))
    const values = rows.flatMap(({ isStored, name, userId, otherId, delegatedUserId, value }): CounterValue[] => {
      if (isStored) return [{ counter: name as IssueCounter, userId: userId ?? 0n, otherUserId: otherId ?? 0n, value: -value }]
      const alike = { status: name as Status, userId, delegatedBy: otherId, delegatedUserId, closedAt: null }
      return contributions(alike).map((key) => ({ ...key, value }))
    })
    return total(values).filter(({ value }) => value !== 0)
  }

  return {
    drift,

    /**
     * Corrects the counters of an office, and returns the differences. Repairs of an office are serialized, because two would both add the difference.
     * Concurrent changes of cases need no lock: they change cases and counters alike, so the difference stays the same.
     */
    repair: (customerId: Id): Promise<CounterValue[]> =>
      db.write(office(customerId), async (tx) => {
        await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('issue_counters', ${customerId}))::text`
        const missing = await drift(customerId)
        if (missing.length > 0)
          await db.batch(
            office(customerId),
            lockNumbers(customerId),
            add({ customerId, values: missing }),
            publish(customerId, concerned(missing)),
          )
        return missing
      }),

    /** Updates the counters for a change of a case, in its transaction. Opening a case has locked the numbers already. */
    follow: ({ actor: { customerId }, before, after }: IssueChange): BatchStatement[] => {
      const values = difference(before, after)
      if (values.length === 0) return []
      const added = add({ customerId, values })
      return before ? [lockNumbers(customerId), added] : [added]
    },
  }
}

export type IssueCounterRepository = ReturnType<typeof issueCounterRepository>

interface Added {
  readonly customerId: Id
  readonly values: readonly CounterValue[]
}

/**
 * Locks the numbers of the office's cases, as opening a case does: cases that are opened in one transaction lock their counters one case after the other,
 * in no order of the keys. A change that waits here holds no counter for which they wait.
 */
const lockNumbers = prepared((param: ParamOf<Id>) => sql`SELECT FROM issue_numbers WHERE customer_id = ${param(itself)} FOR NO KEY UPDATE`)

/** Always in the order of the keys, so that concurrent changes of several counters wait for each other instead of deadlocking. */
const add = prepared(
  (param: ParamOf<Added>) => sql`
    INSERT INTO issue_counters (customer_id, counter, user_id, other_user_id, value)
    SELECT ${param(({ customerId }) => customerId)}, counter, user_id, other_user_id, value
    FROM unnest(
      ${param(({ values }) => values.map(({ counter }) => counter))}::text[], ${param(({ values }) => values.map(({ userId }) => userId))}::bigint[],
      ${param(({ values }) => values.map(({ otherUserId }) => otherUserId))}::bigint[], ${param(({ values }) => values.map(({ value }) => value))}::int[]
    ) AS added (counter, user_id, other_user_id, value)
    ORDER BY counter, user_id, other_user_id
    ON CONFLICT (customer_id, counter, user_id, other_user_id) DO UPDATE SET value = issue_counters.value + excluded.value`,
)
