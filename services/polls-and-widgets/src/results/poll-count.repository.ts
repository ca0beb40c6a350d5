import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { CountedAnswer, Period, PollCount, PollCounts } from './poll-count.js'

type Asked = Period & Pick<CountedAnswer, 'customerId' | 'pollId'>

export const pollCountRepository = (db: Db): PollCounts => ({
  counting: (answer, by) => count({ ...answer, by }),
  read: (asked) => db.query(office(asked.customerId), read(asked)),
})

/** Updates counts in the order of their keys, so that concurrent answers wait for each other instead of deadlocking. */
const count = prepared(
  (param: ParamOf<CountedAnswer & { by: number }>) => sql`
    INSERT INTO poll_counts (customer_id, poll_id, version, day, block, place, count)
    SELECT ${param(({ customerId }) => customerId)}, ${param(({ pollId }) => pollId)}, ${param(({ version }) => version)},
      ${param(({ day }) => day)}::date, block, place, ${param(({ by }) => by)}
    FROM unnest(
      ${param(({ facts }) => facts.map(({ block }) => block))}::int[], ${param(({ facts }) => facts.map(({ place }) => place))}::int[]
    ) AS fact (block, place)
    ORDER BY block, place
    ON CONFLICT (poll_id, day, version, block, place) DO UPDATE SET count = poll_counts.count + excluded.count`,
)

const read = prepared(
  (param: ParamOf<Asked>) => sql<PollCount>`
    SELECT version, block, place, sum(count)::int AS count FROM poll_counts
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND poll_id = ${param(({ pollId }) => pollId)}
      AND day BETWEEN coalesce(${param(({ dateFrom }) => dateFrom)}::date, '-infinity') AND coalesce(${param(({ dateTo }) => dateTo)}::date, 'infinity')
    GROUP BY version, block, place HAVING sum(count) > 0`,
)
