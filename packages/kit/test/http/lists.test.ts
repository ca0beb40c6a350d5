import { type HttpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServedNotes, serveNotes } from './support/notes.js'
import { urls } from './support/served.js'

interface Note {
  Note: { id: string; title: string; rank: string | null; modified: string }
}

let served: ServedNotes
beforeAll(async () => {
  served = await serveNotes()
})
afterAll(() => served.stop())

const office = () => testTenant(served.issuer)

/** Notes whose ranks repeat, and some without one. */
async function withNotes(count: number): Promise<HttpClient> {
  const http = served.asExpert(office().expert)
  for (let i = 0; i < count; i++) await http.post('/note', { Note: { title: `note ${i}`, ...(i % 4 !== 0 && { rank: i % 3 }) } })
  return http
}

const titles = (notes: readonly Note[]) => notes.map(({ Note }) => Note.title)

/** Follows the links to the last page. */
async function pages(http: HttpClient, query: string): Promise<Note[][]> {
  const found: Note[][] = []
  let next: string | undefined = `/note?${query}`
  while (next) {
    const { body, headers, status }: Awaited<ReturnType<typeof http.get<Note[]>>> = await http.get(next)
    expect(status).toBe(200)
    found.push(body)
    next = new RegExp(`^<${urls.expert}/rest(/note\\?[^>]*)>; rel="next"$`).exec(headers.get('link') ?? '')?.[1]
    if (found.length > 50) throw new Error('The pages do not end.')
  }
  return found
}

describe('the pages of a list', () => {
  it.each(['id', '-id', 'title', '-title', 'rank', '-rank', 'modified', '-modified'])(
    'by %s have every record once, in order',
    async (sort) => {
      const http = await withNotes(11)
      const found = await pages(http, `sort=${sort}&limit=3`)
      expect(found.map(({ length }) => length)).toEqual([3, 3, 3, 2])
      const all = (await http.get<Note[]>(`/note?sort=${sort}`)).body
      expect(found.flat()).toEqual(all)
      expect(new Set(titles(all)).size).toBe(11)
      const reversed = (await http.get<Note[]>(`/note?sort=${sort.startsWith('-') ? sort.slice(1) : `-${sort}`}`)).body
      expect(titles(reversed)).toEqual(titles(all).reverse())
    },
  )

  it('keep their filters and their count', async () => {
    const http = await withNotes(11)
    const first = await http.get<Note[]>('/note?rank=1&limit=2&count=1')
    expect(first.headers.get('x-total-count')).toBe('3')
    const ranked = (await pages(http, 'rank=1&limit=1')).flat()
    expect(ranked.length).toBeGreaterThan(1)
    expect(ranked.every(({ Note }) => Note.rank === '1')).toBe(true)
    const unranked = (await pages(http, 'rank=&limit=2')).flat()
    expect(unranked.map(({ Note }) => Note.rank)).toEqual([null, null, null])
  })

  it('do not shift when records are added before them', async () => {
    const http = await withNotes(4)
    const { headers } = await http.get('/note?sort=-id&limit=2')
    const next = /rest(\/note[^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    await http.post('/note', { Note: { title: 'newer' } })
    expect(titles((await http.get<Note[]>(next)).body)).toEqual(['note 1', 'note 0'])
  })

  it('have no link where the whole list fits, and no count unless it is requested', async () => {
    const { body, headers } = await (await withNotes(3)).get<Note[]>('/note?limit=3')
    expect(body).toHaveLength(3)
    expect([headers.get('link'), headers.get('x-total-count')]).toEqual([null, null])
  })
})

describe('modified_since', () => {
  it('accepts local time of the office, and ISO 8601 with an offset', async () => {
    const http = await withNotes(2)
    const { Note } = (await http.get<Note[]>('/note')).body[0] as Note
    await served.rows('UPDATE notes SET modified = $2 WHERE id = $1', [Note.id, '2020-06-01T10:00:00Z'])
    const since = async (text: string) => (await http.get<Note[]>(`/note?modified_since=${encodeURIComponent(text)}`)).body.length
    expect(await since('2020-06-01 12:00:00')).toBe(2)
    expect(await since('2020-06-01 12:00:01')).toBe(1)
    expect(await since('2020-06-01T10:00:00Z')).toBe(2)
    expect(await since('2020-06-01T12:00:00.001+02:00')).toBe(1)
  })

  it('distinguishes the repeated hour when clocks are set back by offsets', async () => {
    const http = await withNotes(3)
    const ids = (await http.get<Note[]>('/note')).body.map(({ Note }) => Note.id)
    const moments = ['2020-10-25T00:30:00Z', '2020-10-25T01:30:00Z', '2020-10-25T02:30:00Z']
    for (const [i, id] of ids.entries()) await served.rows('UPDATE notes SET modified = $2 WHERE id = $1', [id, moments[i]])
    const since = async (text: string) => titles((await http.get<Note[]>(`/note?modified_since=${encodeURIComponent(text)}`)).body)
    expect(await since('2020-10-25 02:30:00')).toEqual(['note 0', 'note 1', 'note 2'])
    expect(await since('2020-10-25T02:30:00+02:00')).toEqual(['note 0', 'note 1', 'note 2'])
    expect(await since('2020-10-25T02:30:00+01:00')).toEqual(['note 1', 'note 2'])
  })
})

describe('a list refuses', () => {
  const elsewhere = Buffer.from(JSON.stringify(['title', 'a', '1'])).toString('base64url')
  const notAnId = Buffer.from(JSON.stringify(['id', '1', 'x'])).toString('base64url')
  it.each([
    ['limit=0', 'limit', 'must be an integer from 1 to 1000'],
    ['limit=1001', 'limit', 'must be an integer from 1 to 1000'],
    ['limit=ten', 'limit', 'must be an integer from 1 to 1000'],
    ['limit=', 'limit', 'must be an integer from 1 to 1000'],
    ['limit=1&limit=1', 'limit', 'must be given once'],
    ['limit[]=1', 'limit[]', 'is not a parameter of this list'],
    ['count=2', 'count', 'must be 0 or 1'],
    ['sort=', 'sort', 'must be one of id, -id, title, -title, rank, -rank, modified, -modified'],
    ['sort=day', 'sort', 'must be one of id, -id, title, -title, rank, -rank, modified, -modified'],
    ['sort=title&sort=id', 'sort', 'must be given once'],
    ['done=maybe', 'done', 'must be 0 or 1'],
    ['done=', 'done', 'must be 0 or 1'],
    ['rank=101', 'rank', 'must be an integer from 0 to 100'],
    ['client_id=1&client_id=2', 'client_id', 'must be given once'],
    ['colour=red', 'colour', 'is not a parameter of this list'],
    ['title=a', 'title', 'is not a parameter of this list'],
    ['__proto__=1', '__proto__', 'is not a parameter of this list'],
    ['modified_since=yesterday', 'modified_since', 'must be a time as YYYY-MM-DD HH:MM:SS'],
    ['cursor=abc', 'cursor', 'is not a cursor of this list'],
    ['cursor=', 'cursor', 'is not a cursor of this list'],
    [`cursor=${elsewhere}`, 'cursor', 'is not a cursor of this list'],
    [`cursor=${notAnId}`, 'cursor', 'is not a cursor of this list'],
  ])('%s', async (query, field, why) => {
    const { status, text } = await served.asExpert(office().expert).get(`/note?${query}`)
    expect(status).toBe(400)
    expect(Object.entries(JSON.parse(text).errorMessages)).toEqual([[field, why]])
  })

  it('all invalid parameters at once', async () => {
    const { text } = await served.asExpert(office().expert).get('/note?limit=x&colour=red&done=2')
    expect(Object.keys(JSON.parse(text).errorMessages)).toEqual(['limit', 'colour', 'done'])
  })

  it.each([
    ['rank', '"x"'],
    ['rank', '"99999999999"'],
    ['modified', '"2020-01-01"'],
    ['title', '1'],
    ['title', '"\\u0000"'],
    ['id', 'null'],
  ])('a cursor of %s with the value %s', async (field, value) => {
    const cursor = Buffer.from(`["${field}",${value},"1"]`).toString('base64url')
    const { status } = await served.asExpert(office().expert).get(`/note?sort=${field}&cursor=${cursor}`)
    expect(status).toBe(400)
  })
})

it('a list has 500 records by default, and at most 1000', async () => {
  const { customerId, expert } = office()
  await served.rows('INSERT INTO notes (customer_id, title) SELECT $1, i::text FROM generate_series(1, 1100) i', [customerId])
  const http = served.asExpert(expert)
  expect((await http.get<Note[]>('/note')).body).toHaveLength(500)
  expect((await http.get<Note[]>('/note?limit=1000')).body).toHaveLength(1000)
  expect((await http.get<Note[]>('/note?count=1&limit=1')).headers.get('x-total-count')).toBe('1100')
})
