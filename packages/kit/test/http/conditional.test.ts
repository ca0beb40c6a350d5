import { type HttpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServedNotes, serveNotes } from './support/notes.js'
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

describe('a created record', () => {
  it('has its address from the configuration, whatever the request says', async () => {
    const http = served.asExpert(office().expert)
    const { status, headers, body } = await http.post<{ id: number }>(
      '/note',
      { Note: { title: 'A' } },
      { 'x-forwarded-host': 'evil.example' },
    )
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(Number) })
    expect(headers.get('location')).toBe(`${urls.expert}/rest/note/${body.id}`)
  })
})

describe('the entity tag of a record', () => {
  it('grows with each change', async () => {
    const { http, path } = await newNote()
    expect((await http.get(path)).headers.get('etag')).toBe('"1"')
    await http.put(path, { Note: {} })
    expect((await http.get(path)).headers.get('etag')).toBe('"2"')
  })

  it.each(['"1"', 'W/"1"', '"7", "1"', '*'])('%s in If-None-Match is answered with 304 and no body', async (known) => {
    const { http, path } = await newNote()
    const { status, text, headers } = await http.get(path, { 'if-none-match': known })
    expect({ status, text, etag: headers.get('etag') }).toEqual({ status: 304, text: '', etag: '"1"' })
  })

  it('that is not the present one gets the record', async () => {
    const { http, path } = await newNote()
    expect((await http.get(path, { 'if-none-match': '"2", "10"' })).status).toBe(200)
  })

  it.each([undefined, '"1"', '*', ' "1" '])('%s in If-Match lets the change through', async (expected) => {
    const { http, path } = await newNote()
    const headers = expected === undefined ? undefined : { 'if-match': expected }
    expect((await http.put(path, { Note: {} }, headers)).body).toEqual({ status: 'OK' })
  })

  it.each(['"2"', '"0"', 'W/"1"', '1', '"1", "2"', '"01"', '', '"-1"'])(
    '%s in If-Match is 412, and nothing has changed',
    async (expected) => {
      const { http, path } = await newNote()
      for (const method of ['PUT', 'DELETE']) {
        const sent = method === 'PUT' ? { Note: { title: 'Late' } } : undefined
        const { status, body } = await http.request(method, path, sent, { 'if-match': expected })
        expect({ status, body }).toEqual({ status: 412, body: stale })
      }
      expect((await http.get(path)).headers.get('etag')).toBe('"1"')
    },
  )

  it('lets one of many win who have read the same', async () => {
    const { http, path } = await newNote()
    const all = await Promise.all(Array.from({ length: 10 }, () => http.put(path, { Note: {} }, { 'if-match': '"1"' })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })
})
