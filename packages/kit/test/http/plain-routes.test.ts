import { flagText, idText, nullable, text, wrappedBody } from '@caseway/kit/http'
import { testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Type from 'typebox'
import { type Served, serve } from './support/served.js'

let served: Served
const heard: unknown[] = []
beforeAll(async () => {
  const fields = { word: text({ max: 5 }), loud: flagText, to_whom: nullable(idText) }
  const query = Type.Object({
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    part: Type.Optional(Type.String({ minLength: 2, maxLength: 3 })),
  })
  const inside = Type.Object({ deep: Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) })), count: Type.Integer() })
  served = await serve({
    expert: [
      (app) => {
        app.post('/say', { schema: { body: wrappedBody('Word', fields, { required: ['word'] }) } }, async ({ body }) => {
          heard.push(body)
          return { length: body.word.length }
        })
        app.get('/query', { schema: { querystring: query } }, async (request) => ({ kind: request.query.kind ?? null }))
        app.post('/plain', { schema: { body: inside } }, async ({ body }) => ({ count: body.count }))
      },
    ],
  })
})
afterAll(() => served.stop())

const api = () => served.asExpert(testTenant(served.issuer).expert)
const refusal = (errorMessages: object) => ({ status: 400, body: { status: 'error', errorMessages } })
const shortly = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

describe('a wrapped body of a plain route', () => {
  it('comes to the handler by the names inside', async () => {
    expect(shortly(await api().post('/say', { Word: { word: 'hello', loud: 1, to_whom: '7', more: 1 } }))).toEqual({
      status: 200,
      body: { length: 5 },
    })
    expect(heard.at(-1)).toEqual({ word: 'hello', loud: true, toWhom: 7n })
  })

  it('is refused with the texts of a resource', async () => {
    expect(shortly(await api().post('/say', {}))).toEqual(refusal({ Word: 'is required' }))
    expect(shortly(await api().post('/say', { Word: { word: 'too long', loud: 'x' } }))).toEqual(
      refusal({ word: 'must be at most 5 characters', loud: 'must be 0 or 1' }),
    )
  })
})

describe('a schema of a plain route', () => {
  it('coerces nothing', async () => {
    expect(shortly(await api().post('/plain', { deep: [], count: '1' }))).toMatchObject({
      status: 400,
      body: { errorMessages: { count: expect.any(String) } },
    })
    expect((await api().post('/plain', { deep: [], count: 1 })).body).toEqual({ count: 1 })
  })

  it('names what is missing and what is wrong by its path', async () => {
    expect(shortly(await api().post('/plain', { deep: [{}, { name: '' }] }))).toEqual(
      refusal({ count: 'is required', 'deep.0.name': 'is required', 'deep.1.name': 'must not be empty' }),
    )
    expect(shortly(await api().get('/query?kind=c&part=x'))).toEqual(
      refusal({ kind: 'must be one of a, b', part: 'must be at least 2 characters' }),
    )
    expect(shortly(await api().get('/query?part=long'))).toEqual(refusal({ part: 'must be at most 3 characters' }))
    expect((await api().get('/query?kind=a&kind=b')).status).toBe(400)
    expect((await api().get('/query?unknown=1')).body).toEqual({ kind: null })
  })

  it('lets no text through that could not be stored, wherever it stands', async () => {
    for (const odd of ['a\0', '\ud800']) {
      const { status, text: answer } = await api().post('/plain', { deep: [{ name: odd }], count: 1 })
      expect(status).toBe(400)
      expect(Object.keys(JSON.parse(answer).errorMessages)).toEqual(['name'])
    }
  })
})
