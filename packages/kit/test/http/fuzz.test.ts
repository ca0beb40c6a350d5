import { testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import Type from 'typebox'
import { type ServedNotes, serveNotes } from './support/notes.js'

let served: ServedNotes
beforeAll(async () => {
  const anything = Type.Object({ a: Type.Optional(Type.Unknown()) })
  served = await serveNotes(() => [(app) => void app.post('/anything', { schema: { body: anything } }, async () => ({ status: 'OK' }))])
})
afterAll(() => served.stop())

const numRuns = Number(process.env.FUZZ_RUNS ?? 300)

/** Refused in the shape of the contract, or taken; and no word of where in the code. */
function isOrderly({ status, text }: { status: number; text: string }): void {
  expect(status).toBeLessThan(500)
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.ts:|Error:/)
  if (status < 400) return
  const { status: word, errorMessages, errorCode } = JSON.parse(text)
  expect(word).toBe('error')
  if (status === 400) for (const why of Object.values(errorMessages)) expect(why).toEqual(expect.any(String))
  else expect([typeof errorMessages, typeof errorCode]).toEqual(['string', 'string'])
}

const odd = fc.oneof(
  fc.constantFrom('\0', '\ud800', '__proto__', 'constructor', '', ' ', '1e400', '9'.repeat(400), "'; DROP TABLE notes; --"),
  fc.string({ unit: 'binary' }),
)
const key = fc.oneof(fc.constantFrom('title', 'rank', 'id', 'customer_id', 'version', 'created', 'toString'), odd)
const value = fc.oneof(
  fc.json().map((text) => JSON.parse(text)),
  odd,
  fc.double(),
  fc.bigInt().map(Number),
)
const fields = fc.dictionary(key, value)
const body = fc.oneof(
  fields.map((Note) => ({ Note })),
  fields,
  fc.array(fields),
  value,
)

describe('whatever is sent', () => {
  it('as a body is taken or refused', async () => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    const { body: made } = await http.post<{ id: number }>('/note', { Note: { title: 'Mine' } })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(['POST', '/note'], ['PUT', `/note/${made.id}`], ['POST', '/anything']),
        body,
        async ([method = '', path = ''], sent) => {
          isOrderly(await http.request(method, path, JSON.stringify(sent) ?? 'null', { 'content-type': 'application/json' }))
        },
      ),
      { numRuns },
    )
    expect((await http.get(`/note/${made.id}`)).status).toBe(200)
  })

  it('as bytes that are hardly JSON is refused', async () => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json().map((text) => text.slice(1)),
        ),
        async (text) => {
          isOrderly(await http.request('POST', '/note', text.toWellFormed(), { 'content-type': 'application/json' }))
        },
      ),
      { numRuns },
    )
  })

  it.each([
    ['depth of 10,000', `{"Note":{"title":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`],
    ['depth of 10,000 objects', `{"Note":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
    ['100,000 keys', JSON.stringify({ Note: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, 1])) })],
    ['numbers without end', `{"Note":{"title":"a","rank":${'9'.repeat(10_000)}}}`],
    ['1e400', '{"Note":{"title":"a","rank":1e400}}'],
    ['a list for an object', '[[[]]]'],
    ['__proto__ deep inside', '{"Note":{"title":{"a":{"__proto__":{"b":1}}}}}'],
    ['the same key twice', '{"Note":{"title":1,"title":"a"},"Note":{"title":2}}'],
  ])('with %s', async (_, text) => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    for (const path of ['/note', '/anything']) isOrderly(await http.post(path, text))
  })

  it('as a query is taken or refused', async () => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    const names = fc.constantFrom('limit', 'cursor', 'sort', 'count', 'modified_since', 'rank', 'done', 'client_id')
    const parts = fc.array(fc.tuple(fc.oneof(names, odd), fc.oneof(odd, fc.integer().map(String), fc.constantFrom('id', '-title', '1'))))
    await fc.assert(
      fc.asyncProperty(parts, async (pairs) => {
        const query = pairs.map(([name, text]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`)
        isOrderly(await http.get(`/note?${query.join('&')}`))
      }),
      { numRuns },
    )
  })
})
