import { resourceRoutes, text, wrappedBody } from '@caseway/kit/http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import Type from 'typebox'
import { clientNoteResource, noteResource } from '../support/notes.js'
import { type Served, serve, urls } from './support/served.js'

interface Operation {
  operationId?: string
  security?: object[]
  parameters?: { name: string; in: string }[]
  responses: Record<string, { description: string }>
}
interface OpenApi {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

let served: Served
const never = async () => {
  throw new Error('A document calls nothing.')
}
beforeAll(async () => {
  served = await serve({
    expert: [
      resourceRoutes(noteResource, { list: never, get: never, create: never, change: never, remove: never }),
      (app) => {
        app.get('/open', { config: { public: true }, schema: { response: { 200: Type.Object({ a: Type.String() }) } } }, never)
        app.post('/say', { schema: { body: wrappedBody('Word', { word: text({ max: 5 }) }, { required: ['word'] }) } }, never)
      },
    ],
    client: [resourceRoutes(clientNoteResource, { list: never })],
  })
})
afterAll(() => served.stop())

const documentOf = async (audience: string): Promise<OpenApi> =>
  (await fetch(`${served.url}/${audience}/openapi.json`)).json() as Promise<OpenApi>

describe.each(['expert', 'client'] as const)('the document of the address for %s', (audience) => {
  it('is valid OpenAPI 3.1', async () => {
    const document = await documentOf(audience)
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true })
  })

  it('names the public address, and describes every answer', async () => {
    const { servers, paths } = await documentOf(audience)
    expect(servers).toEqual([{ url: urls[audience] }])
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    for (const { responses } of operations) {
      for (const { description } of Object.values(responses)) expect(description).toEqual(expect.any(String))
    }
  })
})

describe('the document', () => {
  it('has the verbs that are served, below /rest, with everything that they may answer', async () => {
    const { paths, components } = await documentOf('expert')
    expect(Object.keys(paths)).toEqual(['/rest/note', '/rest/note/{id}', '/rest/open', '/rest/say'])
    expect(Object.keys(paths['/rest/note'] ?? {})).toEqual(['get', 'post'])
    const list = paths['/rest/note']?.get
    expect(list?.operationId).toBe('listNote')
    expect(list?.parameters?.map(({ name }) => name).sort()).toEqual(
      ['client_id', 'count', 'cursor', 'done', 'limit', 'modified_since', 'rank', 'sort'].sort(),
    )
    expect(Object.keys(list?.responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '401', '403', '429', '503']))
    expect(Object.keys(paths['/rest/note/{id}']?.put?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '404', '409', '412', '413', '415']),
    )
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['Note', 'Error', 'FieldErrors']))
    expect((await documentOf('client')).paths).toEqual({ '/rest/note': { get: expect.any(Object) } })
  })

  it('says what needs no token', async () => {
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
