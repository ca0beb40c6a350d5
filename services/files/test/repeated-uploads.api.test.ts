import { randomUUID } from 'node:crypto'
import { eventually, type HttpClient } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Files, formOf, scanned, startFiles, storedBlobs, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles()
})
afterAll(() => files.stop())

/** Creates an office whose uploads wait for a lock before their records are stored. */
async function withWaitingUploads() {
  const { customerId, expert } = files.office()
  const http = files.asExpert(expert)
  await upload(http, 'the first letter')
  const held = await holdTransaction(files.database, 'SELECT FROM storage_use WHERE customer_id = $1 FOR UPDATE', [customerId])
  const key = { 'idempotency-key': randomUUID() }
  return { http, held, send: () => http.post<{ id: number }>('/common_file', formOf('a letter'), key) }
}

/** Cancels the statements that wait for a lock, or terminates their connections. */
const endWaiting = (end: 'pg_cancel_backend' | 'pg_terminate_backend') =>
  files.database.rows(
    `SELECT ${end}(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND wait_event_type = 'Lock'`,
  )

describe('an upload with an Idempotency-Key can be downloaded', () => {
  const areThere = async (http: HttpClient, { status, body }: Awaited<ReturnType<typeof http.post<{ id: number }>>>) => {
    expect(status).toBe(201)
    await scanned(http, body.id)
    expect(await http.get(`/common_file/${body.id}`)).toMatchObject({ status: 200, text: 'a letter' })
  }

  it('after its transaction has lost its connection and was retried', async () => {
    const { http, held, send } = await withWaitingUploads()
    const sent = send()
    await untilWaiting(files.database, 1)
    await endWaiting('pg_terminate_backend')
    await held.commit()
    await areThere(http, await sent)
  })

  it('after the concurrent request with the same key has failed, whose bytes are removed', async () => {
    const { http, held, send } = await withWaitingUploads()
    const before = await storedBlobs(files)
    const first = send()
    await untilWaiting(files.database, 1)
    const second = send()
    await eventually(async () => expect(await storedBlobs(files)).toHaveLength(before.length + 2))
    await endWaiting('pg_cancel_backend')
    expect((await first).status).toBeGreaterThanOrEqual(500)
    await held.commit()
    await areThere(http, await second)
    expect(await storedBlobs(files)).toHaveLength(before.length + 1)
  })
})
