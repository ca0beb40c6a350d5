import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { fileTopic } from '@caseway/protos/topics'
import { expertUrl } from '@caseway/testing'
import { png } from '@caseway/testing/images'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { download, type Files, formOf, scanned, startFiles, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles({ variables: { FILES_MAX_BYTES: '2000000', FILES_QUOTA_BYTES: '5000000' } })
})
afterAll(() => files.stop())

const expert = () => files.asExpert(files.office().expert)

describe('an upload', () => {
  it('is answered with its id and address, and can be downloaded byte for byte once it was scanned', async () => {
    const { customerId, expert } = files.office()
    const http = files.asExpert(expert)
    const content = randomBytes(1_500_000)
    const created = await http.post<{ id: number }>('/common_file', formOf(content, 'Umowa — ąęść.bin'))
    expect([created.status, created.body]).toEqual([201, { id: expect.any(Number) }])
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/common_file/${created.body.id}`)
    const record = await scanned(http, created.body.id)
    expect(record).toEqual({
      ...{ id: String(created.body.id), customer_id: String(customerId), name: 'Umowa — ąęść.bin', filename: 'Umowa — ąęść.bin' },
      ...{ mime: 'application/octet-stream', size: '1500000', virus_scan_status: 'ok', virus_scan_error: null },
      ...{ file_not_exists: '0', compression: 'none', type: 'normal', created: expect.any(String), modified: expect.any(String) },
    })
    const { status, headers, content: received } = await download(files, created.body.id, expert.token)
    expect([status, received.equals(content)]).toEqual([200, true])
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'content-type': 'application/octet-stream', 'content-length': '1500000', 'accept-ranges': 'bytes' },
      'content-disposition': `attachment; filename="Umowa ? ????.bin"; filename*=UTF-8''Umowa%20%E2%80%94%20%C4%85%C4%99%C5%9B%C4%87.bin`,
      ...{ 'x-content-type-options': 'nosniff', 'content-security-policy': 'sandbox', 'cache-control': 'private, no-cache' },
      etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
    })
  })

  it('may be empty', async () => {
    const { expert } = files.office()
    const id = await upload(files.asExpert(expert), '')
    expect(await scanned(files.asExpert(expert), id)).toMatchObject({ size: '0', virus_scan_status: 'ok' })
    expect(await download(files, id, expert.token)).toMatchObject({ status: 200, content: Buffer.alloc(0) })
  })

  it('has the type of its bytes, or of its extension, and not that of its sender', async () => {
    const http = expert()
    const mime = async (content: string | Uint8Array<ArrayBuffer>, name: string) =>
      (await scanned(http, await upload(http, content, name))).mime
    expect(await mime(new Uint8Array(png), 'page.html')).toBe('image/png')
    expect(await mime('a,b', 'table.csv')).toBe('text/csv')
    expect(await mime('<svg/>', 'x.svg')).toBe('image/svg+xml')
    expect(await mime('nothing known', 'x.unknown')).toBe('application/octet-stream')
  })

  it('is published with every change', async () => {
    const http = expert()
    const id = await upload(http, 'a letter')
    await scanned(http, id)
    await http.delete(`/common_file/${id}`)
    const events = (await files.published(fileTopic)).map(({ event }) => event).filter((event) => event.id === BigInt(id))
    expect(events.map(({ scanStatus, deleted, revision }) => ({ scanStatus, deleted, revision }))).toEqual([
      { scanStatus: 1, deleted: false, revision: 1n },
      { scanStatus: 2, deleted: false, revision: 2n },
      { scanStatus: 0, deleted: true, revision: 3n },
    ])
  })

  it.each([
    ['no part', new FormData(), { file: 'is required' }],
    ['another part', formPart('document'), { file: 'must be one file' }],
    ['two files', twoFiles(), { file: 'must be one file' }],
  ])('with %s is refused, and leaves nothing', async (_what, form, errorMessages) => {
    const { customerId, expert } = files.office()
    expect(await files.asExpert(expert).post('/common_file', form)).toMatchObject({ status: 400, body: { status: 'error', errorMessages } })
    expect(await rows(customerId)).toBe(0)
  })

  it('without a name is called `file`', async () => {
    const http = expert()
    const part = '--x\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream\r\n\r\nbytes\r\n--x--\r\n'
    const { status, body } = await http.post<{ id: number }>('/common_file', part, { 'content-type': 'multipart/form-data; boundary=x' })
    expect(status).toBe(201)
    expect((await http.get(`/common_file/${body.id}?meta=1`)).body).toMatchObject({ CommonFile: { name: 'file', filename: 'file' } })
  })

  it('has its original name, which forms escape', async () => {
    const { expert } = files.office()
    const http = files.asExpert(expert)
    const id = await upload(http, 'a', 'the "final"\r\n 50%20 of it.txt')
    expect(await scanned(http, id)).toMatchObject({ name: 'the "final" 50%20 of it.txt' })
    const { headers } = await download(files, id, expert.token)
    expect(headers.get('content-disposition')).toContain('; filename="the \\"final\\" 50%20 of it.txt"; ')
  })

  it('that is truncated, JSON, or not a form is refused', async () => {
    const http = expert()
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    expect((await http.post('/common_file', `${head}cut off`, type)).status).toBe(400)
    expect((await http.post('/common_file', 'nothing of a form', type)).status).toBe(400)
    expect((await http.post('/common_file', '', type)).status).toBe(400)
    expect(await http.post('/common_file', '--x--\r\n', { 'content-type': 'multipart/form-data' })).toMatchObject({
      ...{ status: 400, body: { errorMessages: { body: 'must be complete multipart/form-data, with its boundary in Content-Type' } } },
    })
    for (const other of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'a/b; c=d'])
      expect([other, (await http.post('/common_file', '{"file":"a"}', { 'content-type': other })).status]).toEqual([other, 400])
    expect((await http.post('/common_file', 'a', { 'content-type': 'no media type' })).status).toBe(415)
  })

  it('is refused when it is too large, and when the quota of the office is used up', async () => {
    const { customerId, expert } = files.office()
    const http = files.asExpert(expert)
    expect(await http.post('/common_file', formOf(new Uint8Array(2_000_001)))).toMatchObject({
      status: 413,
      body: { errorCode: 'TOO_LARGE' },
    })
    for (let i = 0; i < 2; i++) expect((await http.post('/common_file', formOf(new Uint8Array(2_000_000)))).status).toBe(201)
    expect(await http.post('/common_file', formOf(new Uint8Array(1_000_001)))).toMatchObject({
      status: 409,
      body: { errorCode: 'QUOTA_EXCEEDED' },
    })
    expect((await http.post('/common_file', formOf(new Uint8Array(1_000_000)))).status).toBe(201)
    expect(await rows(customerId)).toBe(3)
  })

  it('with an Idempotency-Key is stored once; the key is refused with other bytes', async () => {
    const { customerId, expert } = files.office()
    const http = files.asExpert(expert)
    const key = { 'idempotency-key': randomUUID() }
    const sent = await Promise.all(Array.from({ length: 8 }, () => http.post<{ id: number }>('/common_file', formOf('one letter'), key)))
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1)
    expect(await http.post('/common_file', formOf('another letter'), key)).toMatchObject({
      status: 409,
      body: { errorCode: 'IDEMPOTENCY_KEY_REUSED' },
    })
    expect(await rows(customerId)).toBe(1)
    expect((await http.post('/common_file', formOf('x'), { 'idempotency-key': 'x'.repeat(256) })).status).toBe(400)
  })
})

describe('without the storage', () => {
  it('an upload and a download are answered with errors, and both work when it is back', async () => {
    const { customerId, expert } = files.office()
    const http = files.asExpert(expert)
    const id = await upload(http, 'a letter')
    await scanned(http, id)
    await rename(files.folder, `${files.folder}-away`)
    const unavailable = { status: 503, body: { status: 'error', errorCode: 'UNAVAILABLE' } }
    expect(await http.get(`/common_file/${id}`)).toMatchObject(unavailable)
    expect(await http.post('/common_file', formOf('another'))).toMatchObject(unavailable)
    expect((await http.get(`/common_file/${id}?meta=1`)).status).toBe(200)
    await rename(`${files.folder}-away`, files.folder)
    expect((await http.get(`/common_file/${id}`)).text).toBe('a letter')
    expect(await rows(customerId)).toBe(1)
  })
})

it('lists files without removed ones', async () => {
  const http = expert()
  const [first, second] = [await upload(http, 'a', 'b.txt'), await upload(http, 'b', 'a.txt')]
  expect((await http.get('/common_file?sort=name')).body).toMatchObject([
    { CommonFile: { id: String(second) } },
    { CommonFile: { id: String(first) } },
  ])
  expect((await http.delete(`/common_file/${first}`)).body).toEqual({ status: 'OK' })
  expect((await http.get(`/common_file/${first}`)).status).toBe(404)
  expect((await http.get('/common_file')).body).toMatchObject([{ CommonFile: { id: String(second) } }])
})

it('answers 401 without a token', async () => {
  const stranger = files.service.httpUrl
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['GET', '/1'],
    ['DELETE', '/1'],
  ] as const) {
    expect((await fetch(`${stranger}/expert/rest/common_file${path}`, { method })).status).toBe(401)
  }
})

function formPart(name: string): FormData {
  const form = new FormData()
  form.set(name, new Blob(['x']), 'x.txt')
  return form
}

function twoFiles(): FormData {
  const form = formPart('file')
  form.append('file', new Blob(['y']), 'y.txt')
  return form
}

async function rows(customerId: bigint): Promise<number> {
  return (await files.database.rows('SELECT FROM common_files WHERE customer_id = $1', [customerId])).length
}
