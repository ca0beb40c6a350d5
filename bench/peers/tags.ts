/** Reads tags with fastify and pg alone, without a gateway, tenants or rights. */
import Fastify from 'fastify'
import { pool } from './pool.js'
import { serve } from './serve.js'

const columns = 'id, customer_id, user_id, name, color_background, color_text, issue, created, modified'
const text = { type: 'string' }
const tag = {
  type: 'object',
  properties: {
    ...{ id: text, customer_id: text, user_id: text, name: text, color_background: text, color_text: text, issue: text },
    ...{ created: { type: 'string', format: 'date-time' }, modified: { type: 'string', format: 'date-time' } },
  },
}
const wrapped = { type: 'object', properties: { Tag: tag } }

interface Row {
  issue: boolean
}
const shown = (row: Row) => ({ Tag: { ...row, issue: row.issue ? '1' : '0' } })

const app = Fastify()

app.get<{ Params: { id: string } }>('/rest/tag/:id', { schema: { response: { 200: wrapped } } }, async ({ params }, reply) => {
  const { rows } = await pool.query<Row>({ name: 'one', text: `SELECT ${columns} FROM tags WHERE id = $1`, values: [params.id] })
  return rows[0] ? shown(rows[0]) : reply.code(404).send()
})

const list = { schema: { response: { 200: { type: 'array', items: wrapped } } } }
app.get<{ Querystring: { limit: string; customer_id: string } }>('/rest/tag', list, async ({ query }) => {
  const { rows } = await pool.query<Row>({
    name: 'list',
    text: `SELECT ${columns} FROM tags WHERE customer_id = $1 ORDER BY id LIMIT $2`,
    values: [query.customer_id, query.limit],
  })
  return rows.map(shown)
})

await serve(app)
