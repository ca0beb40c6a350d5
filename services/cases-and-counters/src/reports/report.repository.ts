import type { Id } from '@caseway/kit/caller'
import { type BatchStatement, office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { PageById } from '@caseway/kit/resource'
import type { Db } from '../database.js'
import type { Period } from './period.js'
import type { ReplyFact } from './reply-fact.js'
import type { Report } from './report.js'

interface Query extends Period, PageById {
  readonly customerId: Id
  /** The only person of the report; null for everybody. */
  readonly userId: Id | null
  /** The beginning of the first day, and the end of the last one. */
  readonly since: Date
  readonly until: Date
}

export const reportRepository = (db: Db) => ({
  /** Counts a fact on a day of its office, in its transaction. */
  count: (fact: ReplyFact, day: string): BatchStatement => countFact({ ...fact, day }),

  /**
   * The reports of the active employees, and of deactivated ones with something to report; one more than a page, if there are more. A running timer counts
   * until now.
   */
  read: (query: Query): Promise<Report[]> => db.query(office(query.customerId), reports(query)),

  /** The number on all pages. */
  async total(query: Query): Promise<number> {
    const [counted] = await db.query(office(query.customerId), total({ ...query, ...allOfThem }))
    return counted?.total ?? 0
  },
})

export type ReportRepository = ReturnType<typeof reportRepository>

const countFact = prepared((param: ParamOf<ReplyFact & { day: string }>) => {
  const customerId = param(({ customerId }) => customerId)
  const userId = param(({ userId }) => userId)
  const day = sql`${param(({ day }) => day)}::date`
  return sql`
    WITH counted AS (
      INSERT INTO report_days (customer_id, day, user_id, sentences, approved, rejected, corrected)
      VALUES (${customerId}, ${day}, ${userId}, ${param(({ sentences }) => sentences)}, ${param(({ approved }) => approved)},
        ${param(({ rejected }) => rejected)}, ${param(({ corrected }) => corrected)})
      ON CONFLICT (customer_id, day, user_id) DO UPDATE SET
        sentences = report_days.sentences + excluded.sentences, approved = report_days.approved + excluded.approved,
        rejected = report_days.rejected + excluded.rejected, corrected = report_days.corrected + excluded.corrected
    )
    INSERT INTO report_issues (customer_id, day, user_id, issue_id)
    SELECT ${customerId}, ${day}, ${userId}, issue_id FROM (SELECT ${param(({ issueId }) => issueId)}::bigint AS issue_id) AS issue
    WHERE issue_id IS NOT NULL
    ON CONFLICT DO NOTHING`
})

const allOfThem = { limit: 2 ** 31, after: null }

const reportsOf = (param: ParamOf<Query>) => {
  const customerId = param(({ customerId }) => customerId)
  const userId = sql`${param(({ userId }) => userId)}::bigint`
  const [from, to] = [sql`${param(({ from }) => from)}::date`, sql`${param(({ to }) => to)}::date`]
  const [since, until] = [sql`${param(({ since }) => since)}::timestamptz`, sql`${param(({ until }) => until)}::timestamptz`]
  const ofPeriod = sql`customer_id = ${customerId} AND day BETWEEN ${from} AND ${to} AND (${userId} IS NULL OR user_id = ${userId})`
  const seconds = sql`greatest(0, extract(epoch FROM least(coalesce(ended, now()), ${until}) - greatest(started, ${since})))`
  return sql<Report>`
    WITH days AS (
      SELECT user_id, sum(sentences) AS sentences, sum(approved) AS approved, sum(rejected) AS rejected, sum(corrected) AS corrected
      FROM report_days WHERE ${ofPeriod} GROUP BY user_id
    ), cases AS (
      SELECT user_id, count(DISTINCT issue_id) AS issues FROM report_issues WHERE ${ofPeriod} GROUP BY user_id
    ), worked AS (
      SELECT user_id, sum(${seconds}) FILTER (WHERE kind = 'work') AS work, sum(${seconds}) FILTER (WHERE kind = 'extra') AS extra
      FROM work_times
      WHERE customer_id = ${customerId} AND (${userId} IS NULL OR user_id = ${userId})
        AND tstzrange(started, ended) && tstzrange(${since}, ${until})
      GROUP BY user_id
    )
    SELECT id, coalesce(email, '') AS email, coalesce(firstname, '') AS firstname, coalesce(lastname, '') AS lastname,
      coalesce(issues, 0)::int AS issues, coalesce(sentences, 0)::int AS sentences, coalesce(approved, 0)::int AS approved,
      coalesce(rejected, 0)::int AS rejected, coalesce(corrected, 0)::int AS corrected,
      coalesce(floor(work), 0)::int AS "workTime", coalesce(floor(extra), 0)::int AS "workTimeExtra"
    FROM users
      LEFT JOIN days ON days.user_id = id LEFT JOIN cases ON cases.user_id = id LEFT JOIN worked ON worked.user_id = id
    WHERE customer_id = ${customerId} AND (${userId} IS NULL OR id = ${userId}) AND id > ${param(({ after }) => after ?? 0n)}
      AND (active OR days.user_id IS NOT NULL OR cases.user_id IS NOT NULL OR worked.user_id IS NOT NULL)
    ORDER BY id LIMIT ${param(({ limit }) => limit + 1)}`
}

const reports = prepared(reportsOf)
const total = prepared(
  (param: ParamOf<Query>) => sql<{ total: number }>`SELECT count(*)::int AS total FROM (${reportsOf(param)}) AS report`,
)
