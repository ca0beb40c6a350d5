import { resourceReads } from '@caseway/kit/database'
import { date, flagText, idText, integerText, line, nullable, timestamp } from '@caseway/kit/fields'
import { resourceRoutes } from '@caseway/kit/http'
import { defineResource } from '@caseway/kit/resource'
import { type HttpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServedNotes, serveNotes } from './support/notes.js'

/** The notes as a resource that is sorted by columns of every type. */
const entryResource = defineResource({
  name: 'Entry',
  path: 'entry',
  table: 'notes',
  fields: {
    id: idText,
    client_id: nullable(idText),
    title: line({ max: 100 }),
    rank: nullable(integerText({ min: 0, max: 100 })),
    day: nullable(date),
    done: flagText,
    created: timestamp,
  },
  sort: ['created', 'client_id', 'title', 'rank', 'day', 'done'],
  filter: ['day', 'title', 'client_id'],
  listAs: 'results',
})

interface Entries {
  results: { Entry: Record<string, string | null> }[]
}

const newestFirst: typeof entryResource = { ...entryResource, name: 'Latest', path: 'latest', defaultSort: '-created' }

let served: ServedNotes
beforeAll(async () => {
  served = await serveNotes((db) => [
    resourceRoutes(entryResource, resourceReads(db, entryResource)),
    resourceRoutes(newestFirst, resourceReads(db, newestFirst)),
  ])
})
afterAll(() => served.stop())

/** Twelve entries with equal values, some of them null. */
async function withEntries(): Promise<HttpClient> {
  const { customerId, expert } = testTenant(served.issuer)
  await served.rows(
    `INSERT INTO notes (customer_id, title, rank, day, done, client_id, created)
     SELECT $1, CASE WHEN i % 2 = 0 THEN 'ż' ELSE 'Z' END || repeat('"\\', i % 3) || i,
       NULLIF(i % 5, 0), CASE WHEN i % 4 > 0 THEN date '2026-02-27' + i % 3 END, i % 2 = 0, NULLIF(i % 4, 0), timestamptz '2026-10-25T00:30:00Z' + (i % 3) * interval '1 hour'
     FROM generate_series(1, 12) i`,
    [customerId],
  )
  return served.asExpert(expert)
}

const nextOf = (headers: Headers) => /\/rest(\/entry\?[^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

async function pages(http: HttpClient, query: string): Promise<Entries['results'][]> {
  const found: Entries['results'][] = []
  for (let next: string | undefined = `/entry?${query}`; next !== undefined && found.length < 20; ) {
    const answer: Awaited<ReturnType<typeof http.get<Entries>>> = await http.get(next)
    expect(answer.status).toBe(200)
    found.push(answer.body.results)
    next = nextOf(answer.headers)
  }
  return found
}

const columns = ['created', 'client_id', 'title', 'rank', 'day', 'done'] as const

describe('a list in the order of', () => {
  it.each(columns.flatMap((column) => [column, `-${column}`]))('%s has every record once, page by page', async (sort) => {
    const http = await withEntries()
    const whole = (await http.get<Entries>(`/entry?sort=${sort}`)).body.results
    expect(new Set(whole.map(({ Entry }) => Entry.id)).size).toBe(12)
    const found = await pages(http, `sort=${sort}&limit=1`)
    expect(found.map(({ length }) => length)).toEqual(Array(12).fill(1))
    expect(found.flat()).toEqual(whole)
    expect((await pages(http, `sort=${sort}&limit=5`)).flat()).toEqual(whole)
  })

  it('its first sortable field by default', async () => {
    const http = await withEntries()
    const [sorted, unsorted] = await Promise.all([http.get('/entry?sort=created'), http.get('/entry')])
    expect(unsorted.text).toBe(sorted.text)
  })

  it('`defaultSort` without a parameter, on every page', async () => {
    const http = await withEntries()
    const first = await http.get('/latest?limit=5')
    const second = await http.get(/\/rest(\/latest\?[^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
    const ids = ({ text }: typeof first) => [...text.matchAll(/"id":"(\d+)"/g)].map(([, id]) => id)
    expect([...ids(first), ...ids(second)].slice(0, 10)).toEqual(ids(await http.get('/entry?sort=-created')).slice(0, 10))
  })
})

describe('a list refuses a cursor', () => {
  const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')

  it.each<[string, unknown]>([
    ['day', '2026-02-30'],
    ['day', '0000-01-01'],
    ['day', '2026-1-1'],
    ['day', 'infinity'],
    ['done', 'maybe'],
    ['done', 'TRUE'],
    ['done', null],
    ['client_id', '1.5'],
    ['client_id', '9'.repeat(19)],
    ['client_id', ' 1'],
    ['rank', '2147483648'],
    ['rank', '1e2'],
    ['rank', ''],
    ['created', '2026-02-30T00:00:00.000Z'],
    ['created', '2026-01-01T00:00:00Z'],
    ['created', '-000001-01-01T00:00:00.000Z'],
    ['created', '+275760-09-13T00:00:00.000Z'],
    ['created', 'infinity'],
    ['title', 'a\0'],
    ['title', '\ud800'],
    ['title', { toString: 1 }],
  ])('by %s with the value %j', async (sort, value) => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    const { status, body } = await http.get(`/entry?sort=${sort}&cursor=${cursorOf(sort, value, '1')}`)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { cursor: 'is not a cursor of this list' } }])
  })

  it.each<[string, unknown[]]>([
    ['of another sort order', ['-title', 'a', '1']],
    ['without an id', ['title', 'a']],
    ['with an invalid id', ['title', 'a', '-1']],
    ['that is too short', []],
  ])('%s', async (_, parts) => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    expect((await http.get(`/entry?sort=title&cursor=${cursorOf(...parts)}`)).status).toBe(400)
  })

  it('with a changed character, or reads it as another position in the same list', async () => {
    const http = await withEntries()
    const { headers } = await http.get('/entry?sort=day&limit=3')
    const cursor = new URLSearchParams(nextOf(headers)?.split('?')[1]).get('cursor') ?? ''
    expect(cursor.length).toBeGreaterThan(20)
    for (let i = 0; i < cursor.length; i++) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'x' ? 'y' : 'x') + cursor.slice(i + 1)
      expect([200, 400]).toContain((await http.get(`/entry?sort=day&cursor=${changed}`)).status)
    }
  })
})

describe('a filter', () => {
  it.each([
    ['day=', 3],
    ['day=2026-02-28', 3],
    ['client_id=1', 3],
    ['client_id=', 3],
    ['client_id=1&day=2026-02-28', 1],
    ['title=', 0],
  ])('%s matches %i', async (query, count) => {
    const { body, headers } = await (await withEntries()).get<Entries>(`/entry?${query}&count=1&limit=1000`)
    expect(body.results).toHaveLength(count)
    expect(headers.get('x-total-count')).toBe(String(count))
  })

  it.each(['day=2026-02-30', 'day=today', 'client_id=x', 'title=%00', 'done=1', 'id=1'])('%s is refused', async (query) => {
    const { status, text } = await served.asExpert(testTenant(served.issuer).expert).get(`/entry?${query}`)
    expect([status, Object.keys(JSON.parse(text).errorMessages)]).toEqual([400, [query.split('=')[0]]])
  })
})
