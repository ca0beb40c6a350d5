import type { OwnedDatabase } from '../platform/databases.js'
import {
  casesOfLargeOffice,
  casesPerOffice,
  largeOffice,
  officeOfPeers,
  offices,
  smallOffice,
  tagsOfSmallOffice,
  usersPerOffice,
} from './offices.js'

const [firstOffice, lastOffice] = [offices[0], officeOfPeers]

const user = (number: string) => `office * 100 + ${number} % ${usersPerOffice} + 1`

/** The copies that events of auth would fill. */
const people = `
  INSERT INTO customers (id, time_zone, revision) SELECT office, 'Europe/Warsaw', 1 FROM generate_series(${firstOffice}, ${lastOffice}) AS office;
  INSERT INTO users (id, customer_id, active, revision)
    SELECT ${user('number')}, office, true, 1
    FROM generate_series(${firstOffice}, ${lastOffice}) AS office, generate_series(0, ${usersPerOffice - 1}) AS number`

/** Half of the cases are closed; of the others every fifth has no owner, and some wait or are delegated. */
const casesOf = (from: number, to: number, cases: number) => `
  INSERT INTO issues (customer_id, number, subject, status, user_id, delegated_user_id, delegated_by)
    SELECT office, number, 'Case ' || number,
      CASE WHEN number % 2 = 0 THEN 'closed' WHEN number % 5 = 0 THEN 'new' WHEN number % 7 = 0 THEN 'unaccepted' ELSE 'open' END,
      CASE WHEN number % 10 <> 5 THEN ${user('number / 3')} END,
      CASE WHEN number % 11 = 0 AND number % 10 <> 5 THEN ${user('(number / 3 + 1)')} END,
      CASE WHEN number % 11 = 0 AND number % 10 <> 5 THEN ${user('number / 3')} END
    FROM generate_series(${from}, ${to}) AS office, generate_series(1, ${cases}) AS number;
  INSERT INTO issue_numbers (customer_id, last) SELECT office, ${cases} FROM generate_series(${from}, ${to}) AS office`

const documents = `
  INSERT INTO issue_documents
    SELECT id, customer_id, user_client_id, setweight(search_document(customer_id, number || ' ' || subject), 'B')
    FROM issues WHERE customer_id >= ${firstOffice}`

const active = `status IN ('new', 'unaccepted', 'open')`
const counted = (counter: string, userId: string, otherId: string, which: string) =>
  `SELECT customer_id, '${counter}', ${userId}, ${otherId}, count(*)::int FROM issues WHERE ${active} AND ${which} AND customer_id >= ${firstOffice} GROUP BY 1, 3, 4`

/** Computes the counters once; the service updates them with each change of a case. */
const counters = `
  INSERT INTO issue_counters (customer_id, counter, user_id, other_user_id, value)
    ${counted('owned', 'user_id', '0', 'user_id IS NOT NULL')}
    UNION ALL ${counted('unaccepted', 'user_id', '0', `user_id IS NOT NULL AND status = 'unaccepted'`)}
    UNION ALL ${counted('unassigned', '0::bigint', '0', 'user_id IS NULL')}
    UNION ALL ${counted('delegated', 'delegated_by', 'delegated_user_id', 'delegated_by IS NOT NULL')};
  INSERT INTO mail_folder_counts (customer_id, user_id, folder, folder_id, value, revision)
    SELECT office, CASE WHEN number < 0 THEN 0 ELSE ${user('number')} END, folder, 0, 7, 1
    FROM generate_series(${firstOffice}, ${lastOffice}) AS office, generate_series(-1, ${usersPerOffice - 1}) AS number,
      unnest('{clients,others,drafts,offices,providers,leads}'::text[]) AS folder`

const tags = `
  INSERT INTO tags (customer_id, user_id, name)
    SELECT office, ${user('number')}, 'Tag ' || number
    FROM generate_series(${firstOffice}, ${lastOffice}) AS office, generate_series(1, ${tagsOfSmallOffice}) AS number
    WHERE office = ${smallOffice} OR number <= 20`

/** Fills the database of the cases. The indexes are created afterwards, which takes a fraction of the time. */
export async function seedCases(database: OwnedDatabase): Promise<void> {
  const indexes = await database.rows<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename IN ('issues', 'issue_documents') AND indexname NOT LIKE '%_pkey'`,
  )
  await database.run(
    [
      ...indexes.map(({ name }) => `DROP INDEX "${name}"`),
      // The search documents are written by one statement instead of a trigger for each case.
      'SET LOCAL session_replication_role = replica',
      people,
      casesOf(firstOffice as number, offices.at(-1) as number, casesPerOffice),
      casesOf(largeOffice, largeOffice, casesOfLargeOffice),
      `SET LOCAL maintenance_work_mem = '256MB'`,
      documents,
      ...indexes.map(({ definition }) => definition),
      counters,
      tags,
      'CREATE SEQUENCE bench_numbers START 1000000',
    ].join(';\n'),
  )
  await database.rows('VACUUM ANALYZE')
  await database.rows('CHECKPOINT')
}
