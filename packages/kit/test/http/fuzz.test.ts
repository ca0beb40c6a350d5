import { flagText, idText, line, nullable, timestamp } from '@caseway/kit/fields'
import { action, ok, wrappedBody } from '@caseway/kit/http'
import { type HttpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import Type from 'typebox'
import { type ServedNotes, serveNotes } from './support/notes.js'

let served: ServedNotes
let http: HttpClient
let own: string
beforeAll(async () => {
  const anything = Type.Object({ a: Type.Optional(Type.Unknown()), b: Type.Optional(Type.Array(Type.Object({ c: Type.String() }))) })
  const word = wrappedBody('Note', { title: line({ max: 5 }), rank: nullable(idText), done: flagText, due: timestamp })
  served = await serveNotes(() => [
    (app) => {
      app.post('/anything', { schema: { body: anything } }, async () => ({ status: 'OK' }))
      app.put('/anything', { schema: { body: anything } }, async () => ({ status: 'OK' }))
    },
    action(
      { name: 'Word', path: 'word' },
      { method: 'PUT', path: '', operationId: 'putWord', body: word, answers: { 200: ok } },
      async () => undefined,
    ),
  ])
  http = served.asExpert(testTenant(served.issuer).expert)
  const { body } = await http.post<{ id: number }>('/note', { Note: { title: 'Mine' } })
  own = `/note/${body.id}`
})
afterAll(() => served.stop())

const numRuns = Number(process.env.FUZZ_RUNS ?? 150)

/** The answer is a success, or an error in the form of the contract that does not reveal code. */
function isOrderly({ status, text, headers }: Awaited<ReturnType<HttpClient['get']>>): void {
  expect(status).toBeLessThan(500)
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  if (status < 400) return
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.[tj]s:\d|\w+Error\b/)
  const { status: word, errorMessages, errorCode, ...more } = JSON.parse(text)
  expect([word, more]).toEqual(['error', {}])
  if (status === 400) {
    expect([typeof errorMessages, errorCode]).toEqual(['object', undefined])
    const whys = Object.values(errorMessages)
    expect(whys.length).toBeGreaterThan(0)
    expect(whys.every((why) => typeof why === 'string')).toBe(true)
  } else expect([typeof errorMessages, typeof errorCode]).toEqual(['string', 'string'])
}

const odd = fc.oneof(
  fc.constantFrom('\0', '\ud800', '__proto__', 'constructor', '', ' ', '1e400', '9'.repeat(400), "'; DROP TABLE notes; --"),
  fc.string({ unit: 'binary' }),
)
const key = fc.oneof(fc.constantFrom('title', 'rank', 'done', 'due', 'id', 'customer_id', 'version', 'created', 'toString'), odd)
const value = fc.oneof(
  fc.json().map((json) => JSON.parse(json)),
  odd,
  fc.double(),
  fc.bigInt().map(Number),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)
const fields = fc.dictionary(key, value)
const body = fc.oneof(
  fields.map((Note) => ({ Note })),
  fields.map((a) => ({ a, b: [a] })),
  fields,
  fc.array(fields),
  value,
)
const json = { 'content-type': 'application/json' }

describe('arbitrary input', () => {
  it.each(['POST /note', 'PUT', 'POST /anything', 'PUT /anything', 'PUT /word'])(
    'as a body to %s is accepted or refused',
    async (route) => {
      const [method = '', path = own] = route.split(' ')
      const send = async (sent: unknown) => isOrderly(await http.request(method, path, JSON.stringify(sent) ?? 'null', json))
      await fc.assert(fc.asyncProperty(body, send), { numRuns })
      expect((await http.get(own)).status).toBe(200)
    },
  )

  it('as bytes that are not JSON is refused', async () => {
    const { token } = testTenant(served.issuer).expert
    const headers = { authorization: `Bearer ${token}`, ...json }
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
      fc.json().map((text) => new TextEncoder().encode(text.slice(1))),
    )
    const send = async (sent: Uint8Array) => {
      const answer = await fetch(`${served.url}/expert/rest/note`, { method: 'POST', headers, body: new Uint8Array(sent) })
      expect(answer.status).toBe(400)
      isOrderly({ status: answer.status, headers: answer.headers, text: await answer.text(), body: undefined })
    }
    await fc.assert(fc.asyncProperty(bytes, send), { numRuns })
  })

  it.each([
    ['a depth of 10,000', `{"Note":{"title":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`],
    ['a depth of 10,000 objects', `{"Note":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
    ['the greatest depth within the limit of bytes', `{"a":${'['.repeat(520_000)}${']'.repeat(520_000)}}`],
    ['brackets that are never closed', '['.repeat(1_000_000)],
    ['100,000 keys', JSON.stringify({ Note: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [i.toString(36), 1])) })],
    ['100,000 errors', JSON.stringify({ b: Array(100_000).fill({}) })],
    ['a number without end', `{"Note":{"title":"a","rank":${'9'.repeat(10_000)}}}`],
    ['1e400', '{"Note":{"title":"a","rank":1e400}}'],
    ['a list for an object', '[[[]]]'],
    ['__proto__ deep inside', '{"Note":{"title":{"a":{"__proto__":{"b":1}}}}}'],
    ['__proto__ in disguise', '{"Note":{"\\u005f_proto__":{"title":"a"}}}'],
    ['the same key twice', '{"Note":{"title":1,"title":"a"},"Note":{"title":2}}'],
  ])('with %s', async (_, text) => {
    for (const [method, path] of [
      ['POST', '/note'],
      ['PUT', own],
      ['POST', '/anything'],
      ['PUT', '/word'],
    ] as const)
      isOrderly(await http.request(method, path, text, json))
  })

  it('as a query is accepted or refused', async () => {
    const names = fc.constantFrom('limit', 'cursor', 'sort', 'count', 'modified_since', 'rank', 'done', 'client_id')
    const cursor = fc.tuple(fc.constantFrom('id', 'title', 'rank', '-modified'), fc.oneof(odd, fc.constant(null)), odd)
    const values = fc.oneof(
      odd,
      fc.integer().map(String),
      fc.constantFrom('id', '-title', 'rank', '-modified', '1'),
      cursor.map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
    )
    const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
    const pairs = fc.array(fc.tuple(fc.oneof({ weight: 4, arbitrary: names }, odd), values), { maxLength: 3 })
    const query = pairs.map((pairs) => pairs.map(([name, text]) => `${encoded(name)}=${encoded(text)}`).join('&'))
    const bytes = fc.stringMatching(/^[!$-;=?-Z_a-z|~%]{0,40}$/)
    await fc.assert(
      fc.asyncProperty(fc.oneof(query, bytes), async (text) => isOrderly(await http.get(`/note?${text}`))),
      { numRuns },
    )
  })

  it('as an id or an entity tag is accepted or refused', async () => {
    const header = fc.oneof(
      fc.stringMatching(/^[ -~]{0,30}$/),
      fc.integer().map((n) => `"${n}"`),
    )
    const send = async (id: string, tag: string) => {
      isOrderly(await http.get(`/note/${encodeURIComponent(id.toWellFormed())}`, { 'if-none-match': tag }))
      isOrderly(await http.put(own, { Note: {} }, { 'if-match': tag, 'idempotency-key': tag }))
      isOrderly(await http.post('/anything', {}, { 'idempotency-key': tag }))
    }
    await fc.assert(fc.asyncProperty(odd, header, send), { numRuns: Math.ceil(numRuns / 3) })
  })
})
