import { notFound } from '@caseway/kit/errors'
import { publicAnswerSchemas, type Routes } from '@caseway/kit/http'
import { httpClient, testClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Served, serve } from './support/served.js'

const cardAnswers = publicAnswerSchemas({ 200: { description: 'The card.', type: 'object', additionalProperties: true } }, 404)

const cards: Routes = (app) => {
  app.get('/cards/:hash', { schema: { operationId: 'readCard', response: cardAnswers } }, async ({ caller, tracing, params }) => {
    const { hash } = params as { hash: string }
    if (hash === 'unknown') throw notFound()
    return { hash, caller: caller ?? null, address: tracing.address }
  })
  app.options('/cards/save', async (_request, reply) => void reply.code(204))
  app.post('/cards/save', async ({ body }) => ({ body }))
}

let served: Served
beforeAll(async () => {
  served = await serve({ public: [cards], client: [(app) => void app.get('/card', async () => ({}))] })
})
afterAll(() => served.stop())

const as = (token?: string) => httpClient(`${served.url}/client`, token)

it('a public route has no caller, whatever token is sent', async () => {
  const tokens = [undefined, 'nonsense', testClient(served.issuer).token, testTenant(served.issuer).expert.token]
  for (const token of tokens) {
    const { status, body } = await as(token).get('/cards/abc')
    expect([status, body]).toEqual([200, { hash: 'abc', caller: null, address: '127.0.0.1' }])
  }
})

it('the client address is the one that the gateway has added', async () => {
  const { body } = await as().get('/cards/abc', { 'x-forwarded-for': '192.0.2.1, 203.0.113.7' })
  expect(body).toMatchObject({ address: '203.0.113.7' })
})

it('errors have the usual shape', async () => {
  const { status, text } = await as().get('/cards/unknown')
  expect([status, text]).toEqual([404, '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}'])
})

it('a body may have 64 KiB', async () => {
  const ofBytes = (size: number) => JSON.stringify('a'.repeat(size - 2))
  expect((await as().post('/cards/save', ofBytes(65_536))).status).toBe(200)
  expect((await as().post('/cards/save', ofBytes(65_537))).status).toBe(413)
})

it('it exists on the client address only, outside of /rest, where a token is still required', async () => {
  const nobody = httpClient(served.url)
  for (const path of ['/expert/cards/abc', '/client/rest/cards/abc', '/cards/abc']) expect((await nobody.get(path)).status).toBe(404)
  expect((await nobody.get('/client/rest/card')).status).toBe(401)
})

it('it is in the document of the client address, without a security requirement', async () => {
  interface Document {
    paths: Record<string, Record<string, { security?: unknown; operationId?: string }>>
  }
  const { body } = await as().get<Document>('/openapi.json')
  expect(Object.keys(body.paths)).toEqual(['/rest/card', '/cards/{hash}', '/cards/save'])
  expect(Object.keys(body.paths['/cards/save'] ?? {})).toEqual(['post'])
  expect(body.paths['/cards/{hash}']?.get).toMatchObject({ operationId: 'readCard', security: [] })
  expect(body.paths['/rest/card']?.get?.security).toBeUndefined()
  expect(Object.keys((await httpClient(served.url).get<Document>('/expert/openapi.json')).body.paths)).toEqual([])
})
