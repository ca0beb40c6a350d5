/** Lists the sentences of a case, and inserts comments, with fastify and pg alone, without a gateway, tenants or notifications. */
import Fastify from 'fastify'
import { pool } from './pool.js'
import { serve } from './serve.js'

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const time = { type: 'string', format: 'date-time' }
const IssueSentence = {
  type: 'object',
  properties: {
    ...{ id: text, customer_id: text, issue_id: text, speaker: text, speaker_id: textOrNull, template_id: textOrNull },
    ...{ object_name: textOrNull, object_id: textOrNull, body: text, original_body: textOrNull, status: text },
    ...{ rejected: text, corrected: text, reject_reason: textOrNull, reviewed_by: textOrNull, waiting_since: textOrNull },
    ...{ waiting_time: textOrNull, created: time, modified: time },
  },
}
const CommonFileObject = { type: 'array', items: { type: 'object' } }
const wrapped = { type: 'object', properties: { IssueSentence, CommonFileObject } }
const columns = Object.keys(IssueSentence.properties).join(', ')

interface Row {
  rejected: boolean
  corrected: boolean
}
const flag = (value: boolean) => (value ? '1' : '0')
const shown = (row: Row) => ({
  IssueSentence: { ...row, rejected: flag(row.rejected), corrected: flag(row.corrected) },
  CommonFileObject: [],
})

const app = Fastify()

const list = { schema: { response: { 200: { type: 'array', items: wrapped } } } }
app.get<{ Querystring: { limit: string; issue_id: string; customer_id: string } }>('/rest/issue_sentence', list, async ({ query }) => {
  const { rows } = await pool.query<Row>({
    name: 'list',
    text: `SELECT ${columns} FROM issue_sentences WHERE customer_id = $1 AND issue_id = $2 ORDER BY id LIMIT $3`,
    values: [query.customer_id, query.issue_id, query.limit],
  })
  return rows.map(shown)
})

const Comment = {
  type: 'object',
  required: ['issue_id', 'body'],
  properties: { issue_id: text, body: { type: 'string', maxLength: 10_000 } },
} as const
const schema = {
  body: { type: 'object', required: ['Comment'], properties: { Comment } },
  response: { 201: { type: 'object', properties: { id: { type: 'integer' } } } },
}
app.post<{ Body: { Comment: { issue_id: string; body: string } } }>('/rest/comment', { schema }, async ({ body }, reply) => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'insert',
    text: 'INSERT INTO comments (customer_id, user_id, issue_id, body) VALUES ($1, $1, $2, $3) RETURNING id',
    values: [process.env.CUSTOMER_ID, body.Comment.issue_id, body.Comment.body],
  })
  const id = Number(rows[0]?.id)
  return reply.code(201).header('location', `/rest/comment/${id}`).send({ id })
})

await serve(app)
