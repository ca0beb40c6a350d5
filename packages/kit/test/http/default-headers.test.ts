import { having, httpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServedNotes, serveNotes } from './support/notes.js'

let served: ServedNotes
beforeAll(async () => {
  served = await serveNotes(() => [
    (app) => {
      app.get('/failing', async () => {
        throw new Error('not today')
      })
    },
  ])
})
afterAll(() => served.stop())

const policyOf = ({ status, headers }: { status: number; headers: Headers }) => [
  status,
  headers.get('cache-control'),
  headers.get('x-content-type-options'),
]

describe('an answer', () => {
  it('with a record may be stored by its caller, and must be revalidated', async () => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    const { body } = await http.post<{ id: number }>('/note', { Note: { title: 'A' } })
    expect(policyOf(await http.get(`/note/${body.id}`))).toEqual([200, 'private, no-cache', 'nosniff'])
    const known = having(await http.get(`/note/${body.id}`))
    expect(policyOf(await http.get(`/note/${body.id}`, known))).toEqual([304, 'private, no-cache', 'nosniff'])
  })

  it('of any other kind must not be stored', async () => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    const key = { 'idempotency-key': 'k' }
    const answers = [
      [await http.get('/note'), 200],
      [await http.post('/note', { Note: { title: 'A' } }, key), 201],
      [await http.post('/note', { Note: { title: 'A' } }, key), 201],
      [await http.post('/note', { Note: { title: 5 } }), 400],
      [await http.as().get('/note'), 401],
      [await http.get('/note/1'), 404],
      [await http.get('/nothing'), 404],
      [await http.request('PATCH', '/note'), 405],
      [await http.get('/failing'), 500],
      [await httpClient(served.url).get('/readyz'), 200],
    ] as const
    for (const [answer, status] of answers) expect(policyOf(answer)).toEqual([status, 'no-store', 'nosniff'])
  })
})

describe('the document', () => {
  it('is answered with 304 to a caller who has stored it', async () => {
    for (const audience of ['expert', 'client']) {
      const http = httpClient(served.url)
      const { headers } = await http.get(`/${audience}/openapi.json`)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      const etag = headers.get('etag') ?? ''
      const known = await http.get(`/${audience}/openapi.json`, { 'if-none-match': etag })
      expect([known.status, known.text, etag]).toEqual([304, '', expect.stringMatching(/^"[\w-]{43}"$/)])
    }
  })
})
