/** Inserts cases with fastify and pg alone: one row each, without an event, counters or a number of the office. */
import Fastify from 'fastify'
import { pool } from './pool.js'
import { serve } from './serve.js'

const insert = `
  INSERT INTO issues (customer_id, number, subject, status, priority)
  VALUES ($1, nextval('bench_numbers'), $2, 'new', $3) RETURNING id`

const Issue = {
  type: 'object',
  required: ['subject'],
  properties: { subject: { type: 'string', maxLength: 255 }, priority: { type: 'integer', minimum: 2, maximum: 4 } },
} as const
const schema = {
  body: { type: 'object', required: ['Issue'], properties: { Issue } },
  response: { 201: { type: 'object', properties: { id: { type: 'integer' } } } },
}

const app = Fastify()
app.post<{ Body: { Issue: { subject: string; priority: number } } }>('/rest/issue', { schema }, async ({ body }, reply) => {
  const { subject, priority } = body.Issue
  const { rows } = await pool.query<{ id: string }>({
    name: 'insert',
    text: insert,
    values: [process.env.CUSTOMER_ID, subject, priority],
  })
  const id = Number(rows[0]?.id)
  return reply.code(201).header('location', `/rest/issue/${id}`).send({ id })
})

await serve(app)
