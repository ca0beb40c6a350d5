import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { resourceReads } from '@caseway/kit/database'
import { unavailable } from '@caseway/kit/errors'
import { idInteger, idText, integerText, line, nullable, timestamp } from '@caseway/kit/fields'
import { resourceRoutes } from '@caseway/kit/http'
import { defineResource, type StoredList, storedList, withStoredRows } from '@caseway/kit/resource'
import { eventually, type HttpClient, httpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServedNotes, serveNotes } from './support/notes.js'

/** Notes with a CSV export. */
const exportResource = defineResource({
  ...{ name: 'Export', path: 'export', table: 'notes', listAs: 'results', unwrapped: true, csv: true },
  fields: {
    id: idInteger,
    customer_id: idText,
    title: line({ max: 100 }),
    rank: nullable(integerText({ min: 0, max: 9 })),
    modified: timestamp,
  },
  filter: ['rank'],
  sort: ['id', 'title'],
})

let served: ServedNotes
/** How many pages of exports have been read. */
let pages = 0
let isAway = false
beforeAll(async () => {
  served = await serveNotes((db) => {
    const { list, get } = resourceReads(db, exportResource)
    const read = storedList<typeof exportResource>(list) as StoredList<typeof exportResource>
    const counted: typeof read = (...args) => {
      if (isAway) throw unavailable()
      pages++
      return read(...args)
    }
    return [resourceRoutes(exportResource, { list: withStoredRows((...args) => list(...args), counted), get })]
  })
})
afterAll(() => served.stop())

async function withNotes(...titles: string[]): Promise<HttpClient> {
  const http = served.asExpert(testTenant(served.issuer).expert)
  for (const title of titles) await http.post('/note', { Note: { title, rank: 1 } })
  return http
}

const csv = { accept: 'text/csv' }
const linesOf = (text: string) => text.split('\r\n').slice(0, -1)

describe('a list as CSV', () => {
  it('is in the document', async () => {
    interface Documented {
      readonly paths: Readonly<Record<string, { get: { responses: Record<number, { content: object }> } }>>
    }
    const { body } = await httpClient(served.url).get<Documented>('/expert/openapi.json')
    const types = (path: string) => Object.keys(body.paths[path]?.get.responses[200]?.content ?? {})
    expect([types('/rest/export'), types('/rest/note')]).toEqual([['application/json', 'text/csv'], ['application/json']])
  })

  it('has every record, even beyond one page', async () => {
    const http = await withNotes(...Array.from({ length: 201 }, (_, i) => `${i}`))
    const { text, headers } = await http.get('/export?limit=1', csv)
    expect(linesOf(text)).toHaveLength(202)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect([headers.get('link'), headers.get('vary')]).toEqual([null, 'Accept'])
  })

  it('has the total with count=1, also for HEAD', async () => {
    const { expert } = testTenant(served.issuer)
    for (const title of ['a', 'b', 'c']) await served.asExpert(expert).post('/note', { Note: { title, rank: title === 'c' ? 2 : 1 } })
    const total = async (path: string, method: string) =>
      (
        await fetch(`${served.url}/expert/rest${path}`, { method, headers: { ...csv, authorization: `Bearer ${expert.token}` } })
      ).headers.get('x-total-count')
    const paths = ['/export?count=1&limit=1', '/export?count=1&rank=1', '/export']
    for (const method of ['GET', 'HEAD']) expect(await Promise.all(paths.map((path) => total(path, method)))).toEqual(['3', '2', null])
  })

  it('is an error where the first page cannot be read', async () => {
    const http = await withNotes('a')
    isAway = true
    const { status, headers } = await http.get('/export', csv).finally(() => {
      isAway = false
    })
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([503, expect.stringContaining('json'), null])
  })

  it('is not read for HEAD', async () => {
    const { expert } = testTenant(served.issuer)
    pages = 0
    const request = { method: 'HEAD', headers: { ...csv, authorization: `Bearer ${expert.token}` } }
    const { status, headers } = await fetch(`${served.url}/expert/rest/export`, request)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    await served.asExpert(expert).get('/export', csv)
    expect(pages).toBe(1)
  })

  it('has the fields in their order, quoted where they must be', async () => {
    const http = await withNotes('a,b', 'a "b"', 'plain')
    const [head, ...lines] = linesOf((await http.get('/export?sort=title', csv)).text)
    expect(head).toBe('id,customer_id,title,rank,modified')
    const row = (title: string) => expect.stringMatching(new RegExp(`^\\d+,\\d+,${title},1,\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$`))
    expect(lines).toEqual([row('"a ""b"""'), row('"a,b"'), row('plain')])
  })

  it.each(['=1+1', '+1', '-1', '@a', '＝1'])('shows %s as text to a spreadsheet', async (title) => {
    const http = await withNotes(title)
    expect(linesOf((await http.get('/export', csv)).text)[1]).toContain(`,"'${title}",`)
  })

  it.each([
    ['a\n=1+1', 'a\n=1+1'],
    ['a\r=1+1', 'a\r=1+1'],
    ['=1\n+1', "'=1\n+1"],
    ['\t=1+1', "'\t=1+1"],
    ['\n=1+1', "'\n=1+1"],
  ])('quotes text, so that it begins neither a row nor a formula (%j)', async (title, cell) => {
    const http = await withNotes('b')
    await served.rows('UPDATE notes SET title = $1 WHERE id = (SELECT max(id) FROM notes)', [title])
    expect((await http.get('/export', csv)).text).toContain(`,"${cell}",`)
  })

  it('respects filters and order, and refuses invalid ones', async () => {
    const http = await withNotes('b', 'a')
    expect(linesOf((await http.get('/export?sort=-title', csv)).text).map((line) => line.split(',')[2])).toEqual(['title', 'b', 'a'])
    expect(linesOf((await http.get('/export?rank=2', csv)).text)).toHaveLength(1)
    expect((await http.get('/export?title=a', csv)).status).toBe(400)
  })

  it.each([
    ['text/csv', 'csv'],
    ['text/csv, application/json;q=0.9', 'csv'],
    ['text/*', 'csv'],
    ['*/*', 'json'],
    ['application/json, text/csv', 'json'],
    ['text/html', 'json'],
  ])('with Accept: %s is %s', async (accept, type) => {
    const { headers } = await (await withNotes()).get('/export', { accept })
    expect(headers.get('content-type')).toContain(type)
  })
})

describe('an export of 300,000 records', () => {
  it('waits for a slow reader, and ends when the reader leaves', async () => {
    const { expert, customerId } = testTenant(served.issuer)
    await served.rows("INSERT INTO notes (customer_id, title) SELECT $1, repeat('a', 90) || n FROM generate_series(1, 300000) AS n", [
      customerId,
    ])
    pages = 0
    const sent = request(`${served.url}/expert/rest/export`, { headers: { ...csv, authorization: `Bearer ${expert.token}` }, agent: false })
    sent.end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await once(answer, 'readable')
    /** Waits until twenty other requests pass without another page being read. */
    const standsStill = () =>
      eventually(
        async () => {
          const before = pages
          for (let i = 0; i < 20; i++) await served.asExpert(expert).get('/export?limit=1')
          expect(pages).toBe(before + 20)
          return pages
        },
        { timeoutMs: 30_000 },
      )
    expect(await standsStill()).toBeLessThan(2_000)
    answer.destroy()
    const atEnd = pages
    await standsStill()
    expect(pages - atEnd).toBeLessThan(100)
  }, 60_000)
})

it('an unwrapped record has its fields only, in lists and by its id', async () => {
  const http = await withNotes('One')
  const { body } = await http.get<{ results: { id: number }[] }>('/export')
  const [record] = body.results
  expect(record).toEqual({ id: expect.any(Number), customer_id: expect.any(String), title: 'One', rank: '1', modified: expect.any(String) })
  expect((await http.get(`/export/${record?.id}`)).body).toEqual(record)
})
