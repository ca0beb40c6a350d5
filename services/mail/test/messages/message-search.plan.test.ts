import { office } from '@caseway/kit/database'
import { afterAll, expect, it } from '@jest/globals'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

const messages = 10_000

it('a search reads the documents with the words, and not those of the whole office', async () => {
  const { rows } = service.database
  // Most offices have one document, so that the planner expects few of any office.
  await rows(
    `INSERT INTO mail_received_documents (message_id, customer_id, document)
     SELECT n, office, search_document(office, 'common' || CASE n WHEN 77 THEN ' unique' ELSE '' END)
     FROM generate_series(1, ${messages}) n, LATERAL (SELECT CASE WHEN n <= ${messages - 300} THEN 1 ELSE n END AS office) AS office`,
  )
  await rows('VACUUM ANALYZE mail_received_documents')
  const { found, entries } = await engine.db.write(office(1n), async (tx) => {
    const found = await tx.$queryRaw`SELECT matching_messages AS id FROM matching_messages('unique')`
    const [read] = await tx.$queryRaw<{ entries: number }[]>`
      SELECT pg_stat_get_xact_tuples_returned('mail_received_documents_customer_id_message_id_idx'::regclass)::int AS entries`
    return { found, entries: read?.entries }
  })
  expect(found).toEqual([{ id: 77n }])
  expect(entries).toBe(0)
})
