import { freedBytes, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eicar } from './support/archives.js'
import { download, type Files, scanned, startFiles, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles()
})
afterAll(() => files.stop())

const expert = () => files.asExpert(files.office().expert)

it.each(['expert', 'client'])('the document of the %s address has the parameters and headers of uploads and downloads', async (address) => {
  interface Operation {
    readonly parameters: readonly { in: string; name: string }[]
    readonly requestBody: { content: { 'multipart/form-data': { schema: { properties: object } } } }
  }
  const http = httpClient(files.service.httpUrl)
  const { paths } = (await http.get<{ paths: Record<string, Record<string, Operation>> }>(`/${address}/openapi.json`)).body
  const [sent, fetched] = [paths['/rest/common_file']?.post, paths['/rest/common_file/{id}']?.get]
  const parameters = (operation?: Operation) => operation?.parameters.map((each) => `${each.in} ${each.name}`).sort()
  expect(parameters(sent)).toEqual(['header idempotency-key', 'query customer_id'])
  expect(Object.keys(sent?.requestBody.content['multipart/form-data'].schema.properties ?? {})).toEqual(['file', 'customer_id'])
  expect(parameters(fetched)).toEqual(['header if-none-match', 'header if-range', 'header range', 'path id', 'query meta'])
})

describe('a download', () => {
  it.each(['expert', 'client'])('is in the document of the %s address, as the bytes or the record', async (address) => {
    interface Documented {
      readonly paths: Readonly<Record<string, { get: { responses: Record<number, { headers: object; content: object }> } }>>
    }
    const { paths } = (await httpClient(files.service.httpUrl).get<Documented>(`/${address}/openapi.json`)).body
    const { headers, content } = paths['/rest/common_file/{id}']?.get.responses[200] ?? {}
    const record = { properties: { CommonFile: { properties: { virus_scan_status: { type: 'string' } } } } }
    expect([Object.keys(headers ?? {}), content]).toMatchObject([['etag'], { 'application/json': { schema: record }, '*/*': {} }])
  })

  it('frees the memory of its bytes as they are sent', async () => {
    const { expert } = files.office()
    const content = Buffer.alloc(1_000_000, 'Caseway')
    const id = await upload(files.asExpert(expert), new Uint8Array(content))
    await scanned(files.asExpert(expert), id)
    const freed = await freedBytes(async () => expect((await download(files, id, expert.token)).content.equals(content)).toBe(true))
    expect(freed).toBe(content.length)
  })

  it('answers with the requested range, or 416', async () => {
    const { expert } = files.office()
    const id = await upload(files.asExpert(expert), '0123456789')
    await scanned(files.asExpert(expert), id)
    const part = await download(files, id, expert.token, { range: 'bytes=2-4' })
    expect([part.status, String(part.content), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
    for (const range of ['bytes=-10', 'bytes=-11', 'bytes=-99999999999999999999']) {
      const last = await download(files, id, expert.token, { range })
      expect([last.status, String(last.content), last.headers.get('content-range')]).toEqual([206, '0123456789', 'bytes 0-9/10'])
    }
    expect((await download(files, id, expert.token, { range: 'bytes=-0' })).status).toBe(416)
    const none = await download(files, id, expert.token, { range: 'bytes=10-' })
    expect([none.status, none.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect(none.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const refused = { status: 'error', errorMessages: 'The file has no such part.', errorCode: 'RANGE_NOT_SATISFIABLE' }
    expect(JSON.parse(String(none.content))).toEqual(refused)
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=b'])
      expect((await download(files, id, expert.token, { range })).status).toBe(200)
    const other = await download(files, id, expert.token, { range: 'bytes=2-4', 'if-range': '"another"' })
    expect([other.status, other.content.length]).toEqual([200, 10])
  })

  it('answers any range of an empty file with 200', async () => {
    const { expert } = files.office()
    const id = await upload(files.asExpert(expert), '')
    await scanned(files.asExpert(expert), id)
    for (const range of ['bytes=0-', 'bytes=0-99', 'bytes=-1']) {
      const { status, headers } = await download(files, id, expert.token, { range })
      expect([status, headers.get('content-length'), headers.get('content-range')]).toEqual([200, '0', null])
    }
  })

  it('answers HEAD without the bytes', async () => {
    const { expert } = files.office()
    const id = await upload(files.asExpert(expert), 'letters')
    await scanned(files.asExpert(expert), id)
    for (const range of ['', 'bytes=2-4', 'bytes=10-']) {
      const { status, headers, text } = await files.asExpert(expert).request('HEAD', `/common_file/${id}`, undefined, { range })
      expect([status, headers.get('content-length'), text]).toEqual([200, '7', ''])
    }
  })

  it('answers 304 for a matching entity tag', async () => {
    const { expert } = files.office()
    const id = await upload(files.asExpert(expert), 'x')
    await scanned(files.asExpert(expert), id)
    const { headers } = await download(files, id, expert.token)
    expect((await download(files, id, expert.token, { 'if-none-match': String(headers.get('etag')) })).status).toBe(304)
  })

  it('is refused until the file was scanned, and where it is infected', async () => {
    const { customerId, expert } = files.office()
    const http = files.asExpert(expert)
    const id = await upload(http, eicar, 'eicar.com')
    expect(await scanned(http, id)).toMatchObject({ virus_scan_status: 'infected', virus_scan_error: 'Eicar-Test-Signature' })
    expect(await http.get(`/common_file/${id}`)).toMatchObject({ status: 409, body: { errorCode: 'FILE_NOT_CLEAN' } })
    await files.database.rows("UPDATE common_files SET virus_scan_status = 'pending' WHERE customer_id = $1", [customerId])
    expect(await http.get(`/common_file/${id}`)).toMatchObject({ status: 409, body: { errorCode: 'FILE_NOT_CLEAN' } })
  })

  it("is 404 for another office's file, as every other call is", async () => {
    const id = await upload(expert(), 'ours')
    const other = expert()
    for (const path of [`/common_file/${id}`, `/common_file/${id}?meta=1`]) expect((await other.get(path)).status).toBe(404)
    expect((await other.delete(`/common_file/${id}`)).status).toBe(404)
    expect((await other.get('/common_file')).body).toEqual([])
  })
})
