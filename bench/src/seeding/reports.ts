import type { OwnedDatabase } from '../platform/databases.js'
import { largeOffice } from './offices.js'
import { seedSentences } from './sentences.js'

/** The number of days over which the sentences of the large office are spread. */
export const days = 3 * 365

/** Computes the daily report counts of the million sentences of the large office. Idempotent. */
export async function seedReports(database: OwnedDatabase): Promise<void> {
  await seedSentences(database)
  const of = `FROM (SELECT customer_id, speaker_id AS user_id, issue_id, current_date - (id % ${days})::int AS day
    FROM issue_sentences WHERE customer_id = ${largeOffice} AND speaker_id IS NOT NULL) AS sent`
  await database.run(
    [
      `INSERT INTO report_days (customer_id, day, user_id, sentences, approved, rejected, corrected)
        SELECT customer_id, day, user_id, count(*), count(*) / 4, 1, 1 ${of} GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`,
      `INSERT INTO report_issues (customer_id, day, user_id, issue_id)
        SELECT DISTINCT customer_id, day, user_id, issue_id ${of} ON CONFLICT DO NOTHING`,
    ].join(';\n'),
  )
  await database.rows('VACUUM ANALYZE report_days, report_issues')
  await database.rows('CHECKPOINT')
}
