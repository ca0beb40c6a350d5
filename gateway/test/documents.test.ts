import { byService, registry } from '@caseway/registry'
import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { documentService } from '../src/documents/document.service.js'
import type { OpenApi } from '../src/documents/openapi.js'
import type { FakeService } from './support/fake-service.js'
import { publicUrls, type Surrounded, startTestGateway } from './support/gateway.js'

const cases = registry.casesAndCounters.name

const errorSchema = { type: 'object', properties: { status: { type: 'string' } } }
const reference = (name: string, owner = '') => ({ $ref: `${owner}#/components/schemas/${name}` })
const answer = (schema: object) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } })

const documentOf = (paths: object, schemas: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'inner', version: '1' },
  servers: [{ url: 'http://inner.example.test' }],
  security: [{ bearer: [] }],
  components: { schemas: { Error: errorSchema, ...schemas }, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  paths,
  ...rest,
})

const authDocument = documentOf(
  {
    '/rest/token': { post: { operationId: 'createToken', security: [], responses: answer(reference('Record')) } },
    '/rest/user/{id}': { get: { operationId: 'read', tags: ['User'], responses: answer(reference('Envelope')) } },
    '/rest/tag': { get: { operationId: 'stray', responses: answer({}) } },
    '/healthz': { get: { operationId: 'health', responses: answer({}) } },
    '/widgets/{hash}': { get: { operationId: 'foreign', security: [], responses: answer({}) } },
  },
  { Record: { type: 'object', title: 'of auth' }, Envelope: { type: 'array', items: reference('Record') }, Alike: { type: 'string' } },
  { tags: [{ name: 'User' }, { name: 'Both' }] },
)
const casesDocument = documentOf(
  {
    '/rest/tag': {
      get: { operationId: 'read', responses: answer(reference('Envelope')) },
      post: { responses: answer(reference('Alike')) },
    },
    '/rest/issue': { get: { operationId: 'listIssues', responses: answer(reference('Error')) } },
  },
  { Record: { type: 'object', title: 'of cases' }, Envelope: { type: 'array', items: reference('Record') }, Alike: { type: 'string' } },
  { tags: [{ name: 'Both' }] },
)

const pollsDocument = documentOf(
  {
    '/widgets/{hash}': { get: { operationId: 'readWidget', security: [], responses: answer({}) } },
    '/others/{hash}': { get: { operationId: 'stray', security: [], responses: answer({}) } },
  },
  {},
)

const publish = (service: FakeService, document: unknown) => {
  for (const audience of ['expert', 'client']) {
    service.on(`/${audience}/openapi.json`, (_, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document)),
    )
  }
}

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({
    prepare({ auth, cases, others }) {
      publish(auth, authDocument)
      publish(cases, casesDocument)
      publish(others, pollsDocument)
    },
  })
})
afterAll(() => around.stop())

type Operations = Record<string, Record<string, { operationId: string; security?: unknown; responses: unknown }>>
type Document = OpenApi & { paths: Operations }

const documentAt = async (url: string) => (await httpClient(url).get<Document>('/rest/openapi.json')).body
const idsOf = ({ paths }: Document) => Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))

async function expectValid(document: Document): Promise<void> {
  expect(await new Validator().validate({ ...structuredClone(document) })).toEqual({ valid: true })
}

describe('GET /rest/openapi.json', () => {
  it('is one valid document of the routes that its address allows', async () => {
    const expert = await documentAt(around.gateway.expertUrl)
    await expectValid(expert)
    expect(expert).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Caseway', version: '1' },
      servers: [{ url: publicUrls.expert }],
      security: [{ bearer: [] }, { password: [] }],
      tags: [{ name: 'User' }, { name: 'Both' }],
    })
    expect(Object.keys(expert.paths)).toEqual(['/rest/token', '/rest/user/{id}', '/rest/tag', '/rest/issue'])
    const client = await documentAt(around.gateway.clientUrl)
    await expectValid(client)
    expect(client.servers).toEqual([{ url: publicUrls.client }])
    expect(Object.keys(client.paths)).toEqual(['/rest/token', '/rest/issue', '/widgets/{hash}'])
    expect(client.paths['/widgets/{hash}']?.get).toMatchObject({ operationId: 'readWidget', security: [] })
    expect(JSON.stringify([expert, client])).not.toContain('inner')
  })

  it('describes how to sign in', async () => {
    const { components, paths } = await documentAt(around.gateway.expertUrl)
    expect(components?.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      password: {
        type: 'oauth2',
        flows: { password: { tokenUrl: `${publicUrls.expert}/rest/token`, refreshUrl: `${publicUrls.expert}/rest/token`, scopes: {} } },
      },
    })
    expect(paths['/rest/token']?.post?.security).toEqual([])
  })

  it('prefixes different components of the same name with the name of their service', async () => {
    const { components, paths } = await documentAt(around.gateway.expertUrl)
    expect(components?.schemas).toEqual({
      Error: errorSchema,
      Alike: { type: 'string' },
      'auth.Record': { type: 'object', title: 'of auth' },
      'auth.Envelope': { type: 'array', items: reference('auth.Record') },
      [`${cases}.Record`]: { type: 'object', title: 'of cases' },
      [`${cases}.Envelope`]: { type: 'array', items: reference(`${cases}.Record`) },
    })
    expect(paths['/rest/user/{id}']?.get?.responses).toEqual(answer(reference('auth.Envelope')))
    expect(paths['/rest/tag']?.get?.responses).toEqual(answer(reference(`${cases}.Envelope`)))
  })

  it('answers If-None-Match with 304', async () => {
    const { headers } = await around.anybody.get('/rest/openapi.json')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    const etag = headers.get('etag') ?? ''
    const known = await around.anybody.get('/rest/openapi.json', { 'if-none-match': etag })
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag])
    expect((await around.anybody.get('/rest/openapi.json', { 'if-none-match': '"another"' })).status).toBe(200)
  })

  it('has no operation id twice', async () => {
    expect(idsOf(await documentAt(around.gateway.expertUrl))).toEqual(['createToken', 'read', 'read2', 'postRestTag', 'listIssues'])
  })
})

describe('a reference to the document of another service', () => {
  const sent = (schema: object) => ({ post: { requestBody: { content: { 'application/json': { schema } } } } })
  const webhooks = { happened: sent(reference('Record', 'auth')), elsewhere: sent(reference('Nothing', 'auth')) }

  it('becomes a reference to the component, also to a renamed one; until the component is known, the schema is empty', async () => {
    const other = await startTestGateway({
      env: { GATEWAY_DOCUMENTS_CACHE_MS: '0' },
      prepare({ auth, cases }) {
        auth.on('/expert/openapi.json', (_, response) => response.writeHead(503).end())
        publish(cases, { ...casesDocument, webhooks })
      },
    })
    const alone = await documentAt(other.gateway.expertUrl)
    await expectValid(alone)
    expect(alone.webhooks).toEqual({ happened: sent({}), elsewhere: sent({}) })
    publish(other.auth, authDocument)
    const both = await documentAt(other.gateway.expertUrl)
    await expectValid(both)
    expect(both.webhooks).toEqual({ happened: sent(reference('auth.Record')), elsewhere: sent({}) })
    await other.stop()
  })
})

describe('a service without a document', () => {
  it('is left out until its document was fetched once, and is included from then on', async () => {
    const other = await startTestGateway({
      env: { GATEWAY_DOCUMENTS_CACHE_MS: '0' },
      prepare: ({ auth, cases }) => {
        publish(auth, authDocument)
        cases.on('/expert/openapi.json', (_, response) => response.writeHead(503).end())
      },
    })
    const alone = await documentAt(other.gateway.expertUrl)
    await expectValid(alone)
    expect(Object.keys(alone.paths)).toEqual(['/rest/token', '/rest/user/{id}'])
    expect(Object.keys(alone.components?.schemas ?? {})).toEqual(['Error', 'Record', 'Envelope', 'Alike'])
    publish(other.cases, casesDocument)
    const both = await documentAt(other.gateway.expertUrl)
    expect(Object.keys(both.paths)).toHaveLength(4)
    await other.cases.stop()
    expect(await documentAt(other.gateway.expertUrl)).toEqual(both)
    publish(other.auth, { swagger: '2.0' })
    expect(await documentAt(other.gateway.expertUrl)).toEqual(both)
    await other.stop()
  })

  it('leaves a valid document when no service has answered', async () => {
    const other = await startTestGateway()
    await expectValid(await documentAt(other.gateway.clientUrl))
    await other.stop()
  })

  it('that hangs is waited for in one shared fetch', async () => {
    let fetches = 0
    const other = await startTestGateway({ prepare: ({ cases }) => cases.on('/expert/openapi.json', () => void fetches++) })
    const startedAt = Date.now()
    await Promise.all(Array.from({ length: 5 }, () => documentAt(other.gateway.expertUrl)))
    await documentAt(other.gateway.expertUrl)
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    expect(fetches).toBe(1)
    await other.stop()
  })
})

describe('a document that has not changed', () => {
  it('is neither sent by its service nor merged again', async () => {
    const statuses: number[] = []
    const tag = { current: '"1"' }
    const other = await startTestGateway({
      env: { GATEWAY_DOCUMENTS_CACHE_MS: '0' },
      prepare: ({ auth, cases }) => {
        publish(auth, authDocument)
        cases.on('/expert/openapi.json', ({ headers }, response) => {
          const known = headers['if-none-match'] === tag.current
          statuses.push(known ? 304 : 200)
          response.writeHead(known ? 304 : 200, { etag: tag.current, 'content-type': 'application/json' })
          response.end(known ? undefined : JSON.stringify(tag.current === '"1"' ? casesDocument : authDocument))
        })
      },
    })
    const etagNow = async () => (await other.anybody.get('/rest/openapi.json')).headers.get('etag')
    const first = await etagNow()
    expect([await etagNow(), await etagNow()]).toEqual([first, first])
    tag.current = '"2"'
    expect(await etagNow()).not.toBe(first)
    expect(statuses).toEqual([200, 304, 304, 200])
    await other.stop()
  })

  it('of any service is returned as the same string object', async () => {
    const documents = { auth: authDocument as OpenApi, [cases]: casesDocument as OpenApi }
    const sources = byService(
      ({ name }) =>
        async () =>
          name === 'auth' ? documents.auth : documents[cases],
    )
    const { merged } = documentService('expert', 'https://a.example', sources)
    const first = await merged()
    expect(await merged()).toBe(first)
    documents.auth = { ...documents.auth }
    const second = await merged()
    expect([second === first, second.etag]).toEqual([false, first.etag])
  })
})
