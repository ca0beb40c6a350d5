import { line, required } from '@caseway/kit/fields'
import { action, ok, publicAnswerSchemas, resourceRoutes, wrappedBody } from '@caseway/kit/http'
import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import Type from 'typebox'
import { clientNoteResource, noteResource } from '../support/notes.js'
import { type Served, serve, urls } from './support/served.js'

interface Answer {
  description: string
  headers?: Record<string, object>
  content?: Record<string, { schema: object }>
}
interface Operation {
  operationId?: string
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: object }
  responses: Record<string, Answer>
}
interface OpenApi {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

let served: Served
const never = async () => {
  throw new Error('A document calls nothing.')
}
beforeAll(async () => {
  const open = {
    config: { public: true },
    schema: { response: publicAnswerSchemas({ 200: Type.Object({ pair: Type.Tuple([Type.String(), Type.Integer()]) }) }, 404) },
  }
  served = await serve({
    expert: [
      resourceRoutes(noteResource, { list: never, get: never, create: never, change: never, remove: never }),
      (app) => {
        app.get('/open', open, never)
      },
      action(
        { name: 'Word', path: 'say' },
        {
          method: 'POST',
          path: '',
          operationId: 'say',
          body: wrappedBody('Word', { word: required(line({ max: 5 })) }),
          answers: { 200: ok },
        },
        never,
      ),
    ],
    client: [resourceRoutes(clientNoteResource, { list: never }), (app) => void app.get('/me', never)],
  })
})
afterAll(() => served.stop())

const documentOf = async (audience: string) => (await httpClient(served.url).get<OpenApi>(`/${audience}/openapi.json`)).body
const operationsOf = ({ paths }: OpenApi) => Object.values(paths).flatMap((methods) => Object.values(methods))

describe.each(['expert', 'client'] as const)('the document of the address for %s', (audience) => {
  it('is valid OpenAPI 3.1', async () => {
    const document = await documentOf(audience)
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true })
  })

  it('has the public address, and no internal ones', async () => {
    const document = await documentOf(audience)
    expect(document.servers).toEqual([{ url: urls[audience] }])
    expect(JSON.stringify(document)).not.toMatch(/127\.0\.0\.1|localhost/)
  })

  it('describes each answer of a resource', async () => {
    const operations = operationsOf(await documentOf(audience)).filter(({ operationId }) => operationId)
    expect(operations.length).toBeGreaterThan(0)
    for (const { responses, operationId } of operations)
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect([operationId, status, description]).not.toContain('Default Response')
        expect(description.length).toBeGreaterThan(4)
        if (status !== '304') expect(content).toEqual({ 'application/json': { schema: expect.any(Object) } })
      }
  })
})

describe('the document', () => {
  it('has the served verbs, below /rest, with all of their answers', async () => {
    const { paths, components } = await documentOf('expert')
    expect(Object.keys(paths)).toEqual(['/rest/note', '/rest/note/{id}', '/rest/open', '/rest/say'])
    const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {}).join(' ')
    expect(statuses('/rest/note', 'get')).toBe('200 400 401 403 429 503')
    expect(statuses('/rest/note', 'post')).toBe('201 400 401 403 409 413 415 429 503')
    expect(statuses('/rest/note/{id}', 'get')).toBe('200 304 401 403 404 429 503')
    expect(statuses('/rest/note/{id}', 'put')).toBe('200 400 401 403 404 409 412 413 415 429 503')
    expect(statuses('/rest/note/{id}', 'delete')).toBe('200 400 401 403 404 409 412 413 415 429 503')
    expect(Object.keys(components.schemas).sort()).toEqual(['Error', 'FieldErrors', 'Note'])
    expect(Object.keys((await documentOf('client')).paths)).toEqual(['/rest/note', '/rest/me'])
  })

  it('has every parameter and header', async () => {
    const { paths } = await documentOf('expert')
    const parameters = (path: string, method: string) => paths[path]?.[method]?.parameters?.map((each) => `${each.in} ${each.name}`).sort()
    expect(parameters('/rest/note', 'get')).toEqual(
      ['client_id', 'count', 'cursor', 'done', 'limit', 'modified_since', 'rank', 'sort'].map((name) => `query ${name}`),
    )
    expect(parameters('/rest/note', 'post')).toEqual(['header idempotency-key'])
    expect(parameters('/rest/note/{id}', 'get')).toEqual(['header if-none-match', 'path id'])
    expect(parameters('/rest/note/{id}', 'put')).toEqual(['header if-match', 'path id'])
    const { responses = {} } = paths['/rest/note']?.get ?? {}
    expect(Object.keys(responses[200]?.headers ?? {})).toEqual(['link', 'x-total-count'])
    expect(Object.keys(responses[401]?.headers ?? {})).toEqual(['www-authenticate'])
    expect(Object.keys(responses[503]?.headers ?? {})).toEqual(['retry-after'])
  })

  it('has tuples in the form of JSON Schema 2020-12', async () => {
    const { paths } = await documentOf('expert')
    const answer = paths['/rest/open']?.get?.responses[200]?.content?.['application/json']?.schema
    const pair = { type: 'array', minItems: 2, prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }
    expect(answer).toMatchObject({ properties: { pair } })
    expect(answer).not.toHaveProperty('properties.pair.additionalItems')
  })

  it('shows which routes need no token', async () => {
    const { paths } = await documentOf('expert')
    expect(paths['/rest/open']?.get?.security).toEqual([])
    expect(paths['/rest/note']?.get?.security).toBeUndefined()
  })
})

it('a resource is refused on an address that it was not declared for', async () => {
  await expect(serve({ client: [resourceRoutes(noteResource, { list: never })] })).rejects.toThrow(
    'Note is declared for the expert address, not for the client one.',
  )
})
