import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, type Scoped, sql } from '@caseway/kit/database'
import type { PageById } from '@caseway/kit/resource'
import type { Db } from '../database.js'
import type { Margin } from './margin.js'
import type { Period } from './period.js'
import { type EndedWork, type WorkedDay, workedDays } from './worked-day.js'

interface Counted {
  readonly ids: readonly Id[]
  readonly defaultTimeZone: string
}

interface Query {
  readonly customerId: Id
}

export const marginRepository = (db: Db, defaultTimeZone: string) => ({
  /**
   * Counts changed work times again, in the transaction of `scope` that has changed them: one fact for each work time and day of the office. Deleting a
   * work time deletes its facts.
   */
  async countDays(scope: Scoped, ids: readonly Id[]): Promise<void> {
    if (ids.length === 0) return
    const ended = await db.query(scope, endedWork({ ids, defaultTimeZone }))
    await db.batch(scope, forget({ ids }), count(ended.flatMap(workedDays)))
  },

  ofCase: async (query: Query & { issueId: Id }): Promise<Margin | undefined> =>
    (await db.query(office(query.customerId), ofCase(query)))[0],

  /** The margins of the cases for which work was recorded on these days; one more than a page, if there are more. */
  ofPeriod: (query: Query & Period & PageById): Promise<Margin[]> => db.query(office(query.customerId), ofPeriod(query)),

  /** The number on all pages. */
  async total(query: Query & Period): Promise<number> {
    const [counted] = await db.query(office(query.customerId), total(query))
    return counted?.total ?? 0
  },
})

export type MarginRepository = ReturnType<typeof marginRepository>

const forget = prepared(
  (param: ParamOf<Pick<Counted, 'ids'>>) => sql`DELETE FROM work_time_days WHERE work_time_id = ANY (${param(({ ids }) => ids)}::bigint[])`,
)

const endedWork = prepared(
  (param: ParamOf<Counted>) => sql<EndedWork>`
  SELECT work_times.id, customer_id AS "customerId", started, ended, coalesce(time_zone, ${param(({ defaultTimeZone }) => defaultTimeZone)}::text) AS zone
  FROM work_times LEFT JOIN customers ON customers.id = customer_id
  WHERE work_times.id = ANY (${param(({ ids }) => ids)}::bigint[]) AND ended IS NOT NULL`,
)

const count = prepared(
  (param: ParamOf<readonly WorkedDay[]>) => sql`
  INSERT INTO work_time_days (work_time_id, day, customer_id, seconds)
  SELECT * FROM unnest(
    ${param((days) => days.map(({ workTimeId }) => workTimeId))}::bigint[], ${param((days) => days.map(({ day }) => day))}::date[],
    ${param((days) => days.map(({ customerId }) => customerId))}::bigint[], ${param((days) => days.map(({ seconds }) => seconds))}::int[])`,
)

const hour = sql.lit(3600)

/** SQL: the margins of some cases of an office. `inPeriod` selects the facts of the report. */
const margins = (customerId: Id, issueIds: unknown, inPeriod: unknown) => sql<Margin>`
  SELECT issues.id AS "issueId", number, subject, offer.id AS "issuePaymentOfferId", amount::text AS amount, planned::text AS planned,
    spent::text AS spent, (planned - spent)::text AS left, round(amount * ${hour} / nullif(spent, 0), 2)::text AS "effectiveHourlyRate",
    "spentInPeriod"::text AS "spentInPeriod"
  FROM issues
    LEFT JOIN LATERAL (
      SELECT id, amount, coalesce(nullif(man_hours, 0), work_time)::bigint * ${hour} AS planned FROM issue_payment_offers
      WHERE customer_id = ${customerId} AND issue_id = issues.id AND is_chosen
    ) AS offer ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(days.seconds), 0) AS spent, coalesce(sum(days.seconds) FILTER (WHERE ${inPeriod}), 0) AS "spentInPeriod"
      FROM work_times JOIN work_time_days AS days ON work_time_id = work_times.id
      WHERE work_times.customer_id = ${customerId} AND issue_id = issues.id
    ) AS worked
  WHERE issues.customer_id = ${customerId} AND issues.id = ANY (${issueIds}) ORDER BY issues.id`

const ofCase = prepared((param: ParamOf<Query & { issueId: Id }>) =>
  margins(
    param(({ customerId }) => customerId),
    sql`ARRAY[${param(({ issueId }) => issueId)}::bigint]`,
    sql`true`,
  ),
)

/** SQL: the work that was recorded on these days. */
const workOf = (param: ParamOf<Query & Period>) => {
  const customerId = param(({ customerId }) => customerId)
  const inPeriod = sql`day BETWEEN ${param(({ from }) => from)}::date AND ${param(({ to }) => to)}::date`
  const work = sql`work_time_days JOIN work_times ON work_times.id = work_time_id WHERE work_time_days.customer_id = ${customerId} AND ${inPeriod}`
  return { customerId, inPeriod, work }
}

const ofPeriod = prepared((param: ParamOf<Query & Period & PageById>) => {
  const { customerId, inPeriod, work } = workOf(param)
  const worked = sql`ARRAY(
    SELECT DISTINCT issue_id FROM ${work} AND issue_id > ${param(({ after }) => after ?? 0n)}
    ORDER BY issue_id LIMIT ${param(({ limit }) => limit + 1)})`
  return margins(customerId, worked, inPeriod)
})

const total = prepared(
  (param: ParamOf<Query & Period>) => sql<{ total: number }>`SELECT count(DISTINCT issue_id)::int AS total FROM ${workOf(param).work}`,
)
