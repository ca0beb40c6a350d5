/** Reads the counters of one person with fastify and pg alone, from the same rows by the same keys. */
import Fastify from 'fastify'
import { pool } from './pool.js'
import { serve } from './serve.js'

const rowsOf = `
  SELECT counter AS name, user_id, value FROM issue_counters
  WHERE customer_id = $1 AND value <> 0
    AND (user_id = ANY($2) OR (counter = 'delegated' AND other_user_id = ANY($2)) OR counter = 'owned')
  UNION ALL
  SELECT folder, user_id, value FROM mail_folder_counts WHERE customer_id = $1 AND user_id = ANY($2)`

const number = { type: 'integer' }
const numbersOf = (...names: string[]) => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, number])) })
const Issue = numbersOf('my', 'unassigned', 'unaccepted', 'delegated')
const MailReceivedMysqlMessage = numbersOf('clients', 'others', 'drafts', 'offices', 'providers', 'leads')
MailReceivedMysqlMessage.properties.customFolders = { type: 'object', additionalProperties: number } as never
const Counter = { type: 'object', properties: { Issue, MailReceivedMysqlMessage } }

const app = Fastify()
const schema = { response: { 200: { type: 'object', properties: { Counter } } } }
app.get<{ Querystring: { customer_id: string; user_id: string } }>('/rest/counter', { schema }, async ({ query }) => {
  const { customer_id: office, user_id: user } = query
  const { rows } = await pool.query<{ name: string; user_id: string; value: number }>({
    ...{ name: 'counters', text: rowsOf, values: [office, ['0', user]] },
  })
  const of = (name: string) => rows.reduce((sum, row) => (row.name === name ? sum + row.value : sum), 0)
  const owned = rows.reduce((sum, row) => (row.name === 'owned' && row.user_id === user ? sum + row.value : sum), 0)
  return {
    Counter: {
      Issue: { my: owned, unassigned: of('unassigned'), unaccepted: of('unaccepted'), delegated: of('delegated') },
      MailReceivedMysqlMessage: {
        ...{ clients: of('clients'), others: of('others'), drafts: of('drafts'), offices: of('offices') },
        ...{ providers: of('providers'), leads: of('leads'), customFolders: {} },
      },
    },
  }
})

await serve(app)
