import { requestContext } from '@caseway/kit/observability'
import { invalidFields, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Type from 'typebox'
import { type Served, serve } from './support/served.js'

let served: Served
beforeAll(async () => {
  const query = Type.Object({
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    part: Type.Optional(Type.String({ minLength: 2, maxLength: 3 })),
  })
  const inside = Type.Object({ deep: Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) })), count: Type.Integer() })
  served = await serve({
    expert: [
      (app) => {
        app.get('/query', { schema: { querystring: query } }, async (request) => ({ kind: request.query.kind ?? null }))
        app.get('/context', async () => {
          const { caller, ...context } = requestContext.get() ?? {}
          return { ...context, caller: { role: caller?.role, userId: String(caller?.userId) } }
        })
        app.get('/stream', { config: { longLived: true } }, async () => ({ deadline: String(requestContext.get()?.deadline) }))
        app.post('/free', { schema: { body: Type.Object({ settings: Type.Unknown() }) } }, async () => ({ status: 'OK' }))
        app.post('/plain', { schema: { body: inside } }, async ({ body }) => ({ count: body.count }))
      },
      (app) => {
        app.addSchema({ $id: 'Own', type: 'object' })
        const named = Type.Object({ name: Type.String({ maxLength: 3 }) })
        app.get('/named/:name', { schema: { params: named } }, async ({ params }) => params)
        app.post('/beside-own', { schema: { body: inside } }, async ({ body }) => ({ count: body.count }))
      },
    ],
  })
})
afterAll(() => served.stop())

const api = () => served.asExpert(testTenant(served.issuer).expert)
const shortly = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

describe('a schema of a plain route', () => {
  it.each(['/plain', '/beside-own'])('coerces nothing (%s)', async (path) => {
    expect(shortly(await api().post(path, { deep: [], count: '1' }))).toMatchObject({
      status: 400,
      body: { errorMessages: { count: expect.any(String) } },
    })
    expect((await api().post(path, { deep: [], count: 1 })).body).toEqual({ count: 1 })
  })

  it('names missing and invalid properties by their paths', async () => {
    expect(shortly(await api().post('/plain', { deep: [{}, { name: '' }] }))).toEqual(
      invalidFields({ count: 'is required', 'deep.0.name': 'is required', 'deep.1.name': 'must not be empty' }),
    )
    expect(shortly(await api().get('/query?kind=c&part=x'))).toEqual(
      invalidFields({ kind: 'must be one of a, b', part: 'must be at least 2 characters' }),
    )
    expect(shortly(await api().get('/query?part=long'))).toEqual(invalidFields({ part: 'must be at most 3 characters' }))
    expect(shortly(await api().get('/query?kind=a&kind=b&part=ab&part=ab'))).toEqual(
      invalidFields({ kind: 'must be given once', part: 'must be given once' }),
    )
    expect((await api().get('/query?unknown=1')).body).toEqual({ kind: null })
  })

  it.each([
    ['a value', { deep: [{ name: 'a\0' }], count: 1 }, 'name', 'must not contain NUL characters'],
    ['a value, as half of a character', { deep: [{ name: '\ud800' }], count: 1 }, 'name', 'must be well-formed Unicode'],
    ['an unknown property', { deep: [], count: 1, more: ['\0'] }, '0', 'must not contain NUL characters'],
    ['a name', { deep: [], count: 1, more: { 'a\0': 1 } }, 'more', 'must not contain NUL characters'],
    ['a name, as half of a character', { deep: [], count: 1, more: { '\udc00': 1 } }, 'more', 'must be well-formed Unicode'],
  ])('refuses text that PostgreSQL could not store: in %s', async (_, body, field, why) => {
    expect(shortly(await api().post('/plain', body))).toEqual(invalidFields({ [field]: why }))
  })

  it.each(['%00', 'a%00', 'long'])('answers the parameter %s in the path with the 404 of an unknown path', async (name) => {
    expect(shortly(await api().get('/named/abc'))).toEqual({ status: 200, body: { name: 'abc' } })
    expect(shortly(await api().get(`/named/${name}`))).toEqual(shortly(await api().get('/unknown')))
  })

  it('names every invalid field of many', async () => {
    const { body } = await api().post<{ errorMessages: object }>('/plain', { deep: Array(200).fill({}), count: 1 })
    expect(Object.keys(body.errorMessages)).toHaveLength(200)
  })

  it('names the body where it is not an object', async () => {
    for (const sent of [undefined, 'null', []]) {
      const { status, body } = await api().post<{ errorMessages: object }>('/plain', sent)
      expect([status, Object.keys(body.errorMessages)]).toEqual([400, ['body']])
    }
  })

  it('accepts deeply nested values', async () => {
    const settings = `${'['.repeat(500_000)}${']'.repeat(500_000)}`
    expect((await api().post('/free', `{"settings":${settings}}`)).status).toBe(200)
  })
})

describe('the work on a request', () => {
  it('knows the caller, the request id and the deadline', async () => {
    const { expert } = testTenant(served.issuer)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const startedAt = Date.now()
    const { body } = await served.asExpert(expert).get<{ deadline: number }>('/context', { 'x-request-id': 'a-1', traceparent })
    expect(body).toMatchObject({ requestId: 'a-1', traceparent, caller: { userId: String(expert.userId), role: 'expert' } })
    expect(body.deadline).toBeGreaterThanOrEqual(startedAt + 30_000)
    expect(body.deadline).toBeLessThanOrEqual(Date.now() + 30_000)
  })

  it('has no deadline where the answer is a stream', async () => {
    expect((await api().get('/stream')).body).toEqual({ deadline: 'Infinity' })
  })
})
