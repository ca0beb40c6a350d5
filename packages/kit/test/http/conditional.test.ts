import { type HttpClient, testTenant, versionOf } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServedNotes, serveNotes } from './support/notes.js'
import { partsOf, sendRaw } from './support/raw.js'
import { urls } from './support/served.js'

let served: ServedNotes
beforeAll(async () => {
  served = await serveNotes()
})
afterAll(() => served.stop())

const office = () => testTenant(served.issuer)
const stale = { status: 'error', errorMessages: 'The record has changed since it was read.', errorCode: 'STALE' }

async function newNote(): Promise<{ http: HttpClient; path: string }> {
  const http = served.asExpert(office().expert)
  const { body } = await http.post<{ id: number }>('/note', { Note: { title: 'First' } })
  return { http, path: `/note/${body.id}` }
}

/** The answer to a request with forged `Host` and forwarding headers. */
async function askAsElsewhere(request: string, body = ''): Promise<string> {
  const elsewhere = ['host: evil.example', 'x-forwarded-host: evil.example', 'x-forwarded-proto: ftp', 'forwarded: host=evil.example']
  const json = ['content-type: application/json', `content-length: ${body.length}`]
  const head = [...elsewhere, `authorization: Bearer ${office().expert.token}`, ...json, 'connection: close']
  return sendRaw(served.port, `${request} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}

describe('the address of a record', () => {
  it('comes from the configuration, and not from headers of the request', async () => {
    const answer = await askAsElsewhere('POST http://evil.example/expert/rest/note', JSON.stringify({ Note: { title: 'A' } }))
    const { status, body } = partsOf(answer)
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number) } })
    expect(answer).toContain(`\r\nlocation: ${urls.expert}/rest/note/${(body as { id: number }).id}\r\n`)
    expect(answer).not.toContain('evil')
  })

  it('can be requested', async () => {
    const http = served.asExpert(office().expert)
    const { headers, body } = await http.post<{ id: number }>('/note', { Note: { title: 'Here' } })
    const path = headers.get('location')?.replace(`${urls.expert}/rest`, '') ?? ''
    expect((await http.get(path)).body).toMatchObject({ Note: { id: String(body.id), title: 'Here' } })
  })
})

describe('the entity tag of a record', () => {
  it('grows with each change', async () => {
    const { http, path } = await newNote()
    expect(versionOf(await http.get(path))).toBe(1)
    await http.put(path, { Note: {} })
    expect(versionOf(await http.get(path))).toBe(2)
  })

  it.each([(tag: string) => tag, (tag: string) => `W/${tag}`, (tag: string) => `"7", ${tag}`, () => '*'])(
    'in If-None-Match is answered with 304 and no body: %s',
    async (known) => {
      const { http, path } = await newNote()
      const tag = (await http.get(path)).headers.get('etag') ?? ''
      const { status, text, headers } = await http.get(path, { 'if-none-match': known(tag) })
      expect({ status, text, etag: headers.get('etag') }).toEqual({ status: 304, text: '', etag: tag })
    },
  )

  it.each(['GET', 'HEAD'])('in If-None-Match is answered to %s without a Content-Length', async (method) => {
    const { http, path } = await newNote()
    const { headers, text } = await http.get(path)
    const known = await http.request(method, path, undefined, { 'if-none-match': headers.get('etag') ?? '' })
    expect([known.status, known.headers.get('content-length')]).toEqual([304, null])
    const { status, headers: whole } = await http.request(method, path)
    expect([status, whole.get('content-length')]).toEqual([200, String(Buffer.byteLength(text))])
  })

  it('that is not the current one is answered with the record', async () => {
    const { http, path } = await newNote()
    expect((await http.get(path, { 'if-none-match': '"1", "2", "10"' })).status).toBe(200)
  })

  it.each([undefined, '"1"', '"1-0123456789abc_-D"', '*', ' "1" '])('%s in If-Match allows the change', async (expected) => {
    const { http, path } = await newNote()
    const headers = expected === undefined ? undefined : { 'if-match': expected }
    expect((await http.put(path, { Note: {} }, headers)).body).toEqual({ status: 'OK' })
  })

  it.each(['"2"', '"2-0123456789abc_-D"', '"0"', 'W/"1"', '1', '"1", "2"', '"01"', '', '"-1"', '"1-"', '"1-0123"'])(
    '%s in If-Match is 412, and changes nothing',
    async (expected) => {
      const { http, path } = await newNote()
      for (const method of ['PUT', 'DELETE']) {
        const sent = method === 'PUT' ? { Note: { title: 'Late' } } : undefined
        const { status, body } = await http.request(method, path, sent, { 'if-match': expected })
        expect({ status, body }).toEqual({ status: 412, body: stale })
      }
      expect(versionOf(await http.get(path))).toBe(1)
    },
  )

  it.each([undefined, '"2"', '*'])('%s in If-Match allows to delete the record, once', async (expected) => {
    const { http, path } = await newNote()
    await http.put(path, { Note: {} })
    const headers = expected === undefined ? undefined : { 'if-match': expected }
    expect((await http.delete(path, headers)).body).toEqual({ status: 'OK' })
    expect((await http.delete(path, headers)).status).toBe(404)
    expect((await http.get(path)).status).toBe(404)
  })

  it('has no effect for a record of another office', async () => {
    const { path } = await newNote()
    const stranger = served.asExpert(office().expert)
    expect((await stranger.put(path, { Note: {} }, { 'if-match': '"1"' })).status).toBe(404)
    expect((await stranger.delete(path, { 'if-match': '"9"' })).status).toBe(404)
    expect((await stranger.get(path, { 'if-none-match': '*' })).status).toBe(404)
  })

  it('allows one of several concurrent changes', async () => {
    const { http, path } = await newNote()
    const all = await Promise.all(Array.from({ length: 10 }, () => http.put(path, { Note: {} }, { 'if-match': '"1"' })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })
})
