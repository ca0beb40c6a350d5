import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())

const file = (status: string, created: string) =>
  place.files.rows(
    `INSERT INTO common_files (customer_id, name, filename, mime, size, sha256, blob_key, virus_scan_status, created)
     VALUES ($1, 'a', 'a', 'text/plain', 1, '', gen_random_uuid(), $2, $3)`,
    [randomId(), status, created],
  )

it('files rescan enqueues scans of the files that were uploaded since a day and have a result', async () => {
  await file('ok', '2026-10-31T23:59:59Z')
  await file('ok', '2026-11-01T00:00:00Z')
  await file('infected', '2026-11-02T00:00:00Z')
  await file('pending', '2026-11-02T00:00:00Z')
  const rescan = (...options: string[]) => place.caseway('files', 'rescan', '--since', '2026-11-01', ...options)
  expect(documentOf(await rescan('--json'))).toEqual({ files: 2 })
  expect(await place.files.rows('SELECT name, payload, state FROM kit.job')).toEqual([
    { name: 'rescan', payload: { since: '2026-11-01T00:00:00.000Z' }, state: 'ready' },
  ])
  expect((await rescan()).out).toBe(
    '2 files will be scanned again. To see how many are left: npm run caseway -- jobs status --service files',
  )
})

it('files lost lists the files of all offices whose bytes are lost, the newest first', async () => {
  expect((await place.caseway('files', 'lost')).out).toBe('The storage has the bytes of every file.')
  const lost = `UPDATE common_files SET file_not_exists = true WHERE virus_scan_status = 'ok'
    RETURNING id::text, customer_id::text, name, blob_key::text`
  const rows = await place.files.rows<{ id: string }>(lost)
  const newestFirst = rows.toSorted((one, other) => Number(other.id) - Number(one.id))
  expect(documentOf(await place.caseway('files', 'lost', '--json'))).toEqual({ files: newestFirst })
  expect(documentOf(await place.caseway('files', 'lost', '--limit', '1', '--json'))).toEqual({ files: newestFirst.slice(0, 1) })
  expect((await place.caseway('files', 'lost')).out).toMatch(/^ID +OFFICE +BLOB +NAME\n/)
})

it('files rescan requires a day', async () => {
  expect(await place.caseway('files', 'rescan', '--since', 'yesterday')).toMatchObject({
    code: 2,
    err: expect.stringContaining("'yesterday'"),
  })
})
