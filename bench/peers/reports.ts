/** The sums of reports with fastify and pg alone, without names, work times or rights. */
import Fastify from 'fastify'
import { pool } from './pool.js'
import { serve } from './serve.js'

const sums = `
  SELECT user_id AS id, sum(sentences) AS sentences, sum(approved) AS approved, sum(rejected) AS rejected, sum(corrected) AS corrected,
    (SELECT count(DISTINCT issue_id) FROM report_issues
      WHERE customer_id = $1 AND day BETWEEN $2 AND $3 AND report_issues.user_id = report_days.user_id) AS issues
  FROM report_days WHERE customer_id = $1 AND day BETWEEN $2 AND $3 GROUP BY user_id ORDER BY user_id`

const app = Fastify()
app.get<{ Querystring: { customer_id: string; date_from: string; date_to: string } }>('/rest/report', async ({ query }) => {
  const { rows } = await pool.query({ name: 'sums', text: sums, values: [query.customer_id, query.date_from, query.date_to] })
  return rows.map((Report) => ({ Report }))
})

await serve(app)
