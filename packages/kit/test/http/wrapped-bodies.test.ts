import { idText, line, required } from '@caseway/kit/fields'
import { bodyReader, idQuery, plainBody } from '@caseway/kit/http'
import { httpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createThing, nobody, type ServedThings, serveThings } from './support/things.js'

let served: ServedThings
beforeAll(async () => {
  served = await serveThings()
})
afterAll(() => served.stop())

const office = () => testTenant(served.issuer)
const wrong = (errorMessages: object) => JSON.stringify({ status: 'error', errorMessages })

describe('the fields of a body', () => {
  it('that are invalid are all named at once', async () => {
    const http = served.asExpert(office().expert)
    const sent = { name: null, rank: 'x', done: 7, due: 'soon', owner: {} }
    const { status, text } = await createThing(http, sent)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({
      status: 'error',
      errorMessages: {
        name: 'is required',
        rank: 'must be an integer from -1 to 9',
        done: 'must be 0 or 1',
        due: 'must be a time as YYYY-MM-DD HH:MM:SS',
        owner: 'must be an id',
      },
    })
    const { body } = await createThing(http, {})
    expect((await http.put(`/thing/${body.id}`, { Thing: sent })).text).toBe(text)
  })

  it('are named together with those of `fieldErrors`, whose text takes precedence', async () => {
    const http = served.asExpert(office().expert)
    const also = (owner: string) => wrong({ owner, name: 'is required', rank: 'must be an integer from -1 to 9' })
    expect((await createThing(http, { name: ' ', rank: 'x', owner: String(nobody) })).text).toBe(also('does not exist'))
    const { body } = await createThing(http, {})
    const changed = await http.put(`/thing/${body.id}`, { Thing: { name: ' ', rank: 'x', owner: Number(nobody) } })
    expect(changed.text).toBe(also(`does not exist, for ${body.id}`))
    expect((await createThing(http, { rank: 'x', owner: '7' })).text).toBe(wrong({ rank: 'must be an integer from -1 to 9' }))
  })

  it('that are unknown, read only or set by the service are ignored', async () => {
    const { expert, customerId } = office()
    const http = served.asExpert(expert)
    const extra = { id: 99, customer_id: '1', created: '2000-01-01 00:00:00', modified: 'never', shown: 'mine', nonsense: { a: [1] } }
    const { body } = await createThing(http, { ...extra, version: 7, customerId: '1', toString: 1 })
    expect(served.given.at(-1)).toEqual({ name: 'a' })
    expect((await http.put(`/thing/${body.id}`, { Thing: { ...extra, secret: 'b' } })).status).toBe(200)
    expect(served.changed.at(-1)).toEqual({})
    const { Thing } = (await http.get<{ Thing: object }>(`/thing/${body.id}`)).body
    expect(Thing).toMatchObject({
      ...{ id: String(body.id), customer_id: String(customerId), shown: null },
      ...{ created: '2026-07-01 12:00:00', modified: '2026-07-01 12:00:00' },
    })
  })

  it('that are write-only are accepted', async () => {
    const http = served.asExpert(office().expert)
    const { body } = await createThing(http, { secret: 'hunter2' })
    expect(served.given.at(-1)).toEqual({ name: 'a', secret: 'hunter2' })
    const { text } = await http.get(`/thing/${body.id}`)
    expect(text).not.toMatch(/secret|hunter2|version|nonsense/)
  })

  it('must include the required ones', async () => {
    const http = served.asExpert(office().expert)
    for (const fields of [{}, { name: '' }, { name: ' \t\n' }, { name: null }])
      expect((await http.post('/thing', { Thing: fields })).text).toBe(wrong({ name: 'is required' }))
  })

  it('may be a part of them in a change, but no required one may be blank', async () => {
    const http = served.asExpert(office().expert)
    const { body } = await createThing(http, { rank: 1 })
    const path = `/thing/${body.id}`
    expect((await http.put(path, { Thing: {} })).body).toEqual({ status: 'OK' })
    expect((await http.put(path, { Thing: { done: 1 } })).body).toEqual({ status: 'OK' })
    expect((await http.get(path)).body).toMatchObject({ Thing: { name: 'a', rank: '1', done: '1' } })
    expect((await http.put(path, { Thing: { name: '' } })).text).toBe(wrong({ name: 'is required' }))
  })
})

describe('the wrapper', () => {
  it.each([
    ['nothing', undefined],
    ['null', 'null'],
    ['a list', []],
    ['a list with a wrapper', [{ Thing: { name: 'a' } }]],
    ['a text', '"Thing"'],
    ['a number', 1],
    ['the fields alone', { name: 'a' }],
    ['another wrapper', { Think: { name: 'a' } }],
    ['a wrapper in lower case', { thing: { name: 'a' } }],
    ['a list in it', { Thing: [] }],
    ['a text in it', { Thing: 'a' }],
    ['null in it', { Thing: null }],
  ])('is required: %s', async (_, body) => {
    const http = served.asExpert(office().expert)
    const { body: made } = await createThing(http, {})
    for (const [method, path] of [
      ['POST', '/thing'],
      ['PUT', `/thing/${made.id}`],
    ] as const) {
      const { status, text } = await http.request(method, path, body)
      expect({ status, text }).toEqual({ status: 400, text: wrong({ Thing: 'is required' }) })
    }
  })

  it('may have an old name', async () => {
    const http = served.asExpert(office().expert)
    const { status, body } = await http.post<{ id: number }>('/thing', { Thingy: { name: 'old' } })
    expect(status).toBe(201)
    expect((await http.put(`/thing/${body.id}`, { Thingy: { rank: 2 } })).status).toBe(200)
    expect((await http.get(`/thing/${body.id}`)).body).toMatchObject({ Thing: { name: 'old', rank: '2' } })
  })

  it('is in the document with its old name', async () => {
    interface Documented {
      readonly paths: Readonly<Record<string, Record<string, { requestBody: { content: object } }>>>
    }
    const { paths } = (await httpClient(served.url).get<Documented>('/expert/openapi.json')).body
    const either = {
      properties: { Thing: expect.any(Object), Thingy: expect.any(Object) },
      anyOf: ['Thing', 'Thingy'].map((name) => ({ required: [name] })),
    }
    for (const { requestBody } of [paths['/rest/thing']?.post, paths['/rest/thing/{id}']?.put].flatMap((each) => each ?? []))
      expect(requestBody.content).toEqual({ 'application/json': { schema: { type: 'object', ...either } } })
    expect.assertions(2)
  })

  it('may be next to other properties, which are ignored', async () => {
    const sent = { Other: { name: 5 }, Thing: { name: 'a' }, Thingy: { name: 'b' } }
    expect((await served.asExpert(office().expert).post('/thing', sent)).status).toBe(201)
    expect(served.given.at(-1)).toEqual({ name: 'a' })
  })
})

it('a required field may have its own text for a missing value', () => {
  const read = bodyReader(['Thing'], { owner: required(idText, 'does not exist') })
  for (const Thing of [{}, { owner: null }, { owner: ' ' }]) {
    expect(() => read({ Thing }, 'UTC')).toThrow(expect.objectContaining({ fields: { owner: 'does not exist' } }))
  }
  expect(read({ Thing: { owner: '5' } }, 'UTC')).toEqual({ owner: 5n })
})

it('a body without a wrapper is read like one with it', () => {
  const { read, schema } = plainBody({ owner_id: required(idText), name: line({ max: 3 }) })
  expect(schema).toEqual({ type: 'object', properties: { owner_id: idText.input, name: line({ max: 3 }).input }, required: ['owner_id'] })
  expect(read({ owner_id: 5, other: 1 }, 'UTC')).toEqual({ ownerId: 5n })
  const fields = { owner_id: 'is required', name: 'must be at most 3 characters' }
  expect(() => read({ name: 'abcd' }, 'UTC')).toThrow(expect.objectContaining({ kind: 'invalid', fields }))
  for (const none of [undefined, null, 'text', []]) {
    expect(() => read(none, 'UTC')).toThrow(expect.objectContaining({ kind: 'invalid', fields: { body: 'is required' } }))
  }
})

it('a query of ids is read by camelCase names, and malformed ids are named', () => {
  const { read } = idQuery('note_id', 'tag_id')
  expect(read({ note_id: '1', tag_id: '2' })).toEqual({ noteId: 1n, tagId: 2n })
  const fields = { note_id: 'must be an id', tag_id: 'is required' }
  expect(() => read({ note_id: 'x' })).toThrow(expect.objectContaining({ kind: 'invalid', fields }))
})
