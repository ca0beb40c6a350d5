import type { OwnedDatabase } from '../platform/databases.js'
import { casesOfLargeOffice, largeOffice } from './offices.js'

/** Only the newest cases of the large office have sentences. */
const casesWithSentences = 100_000
const sentencesPerCase = 10

/** Words that are in every sentence, in a single one, and in those of the older half of the cases. */
export const words = { common: 'wspólne', rare: 'unikat', former: 'dawne' }

const firstCase = casesOfLargeOffice - casesWithSentences + 1
const half = firstCase + casesWithSentences / 2

/** Random words with a skewed frequency. */
const someWords = `(SELECT string_agg('w' || (power(random(), 3) * 20000)::int, ' ') FROM generate_series(1, 15) WHERE issues.id + sentence > 0)`

/**
 * Adds a million sentences. Idempotent, because several scenarios share them. Triggers would write the search documents one by one, with the same
 * padding; the indexes are created afterwards.
 */
export async function seedSentences(database: OwnedDatabase): Promise<void> {
  const [seeded] = await database.rows('SELECT FROM issue_sentences WHERE customer_id = $1 LIMIT 1', [largeOffice])
  if (seeded) return
  const indexes = await database.rows<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename IN ('issue_sentences', 'issue_documents') AND indexname NOT LIKE '%_pkey'`,
  )
  await database.run(
    [
      'SET LOCAL session_replication_role = replica',
      `SET LOCAL maintenance_work_mem = '256MB'`,
      ...indexes.map(({ name }) => `DROP INDEX "${name}"`),
      `INSERT INTO issue_sentences (customer_id, issue_id, speaker, speaker_id, body, status)
        SELECT customer_id, id, 'expert', user_id,
          '${words.common} ' || ${someWords} || CASE WHEN number < ${half} THEN ' ${words.former}' ELSE '' END
            || CASE WHEN number = ${half} AND sentence = 1 THEN ' ${words.rare}' ELSE '' END, 'sent'
        FROM generate_series(1, ${sentencesPerCase}) AS sentence, issues WHERE customer_id = ${largeOffice} AND number >= ${firstCase}`,
      `CREATE TEMPORARY TABLE documents ON COMMIT DROP AS
        SELECT issue_id, customer_id, user_client_id, document || COALESCE(search_document(customer_id, bodies), '') AS document,
          CASE WHEN bodies IS NOT NULL THEN repeat(' ', 2048) END AS padding
        FROM issue_documents LEFT JOIN (
          SELECT issue_id, string_agg(body, ' ') AS bodies FROM issue_sentences WHERE customer_id = ${largeOffice} GROUP BY 1
        ) AS said USING (issue_id)`,
      // An UPDATE of all rows would scatter the new versions over the free space between the old ones.
      'TRUNCATE issue_documents',
      `INSERT INTO issue_documents (issue_id, customer_id, user_client_id, document, padding)
        SELECT issue_id, customer_id, user_client_id, document, padding FROM documents ORDER BY issue_id`,
      ...indexes.map(({ definition }) => definition),
    ].join(';\n'),
  )
  await database.rows('VACUUM ANALYZE issue_sentences, issue_documents')
  await database.rows('CHECKPOINT')
}
