import { notFound } from '@caseway/kit/errors'
import { resourceRoutes } from '@caseway/kit/http'
import { type HttpClient, httpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { noteResource } from '../support/notes.js'
import { partsOf, sendRaw } from './support/raw.js'
import { type Served, serve } from './support/served.js'

let served: Served
let http: HttpClient
const readIds: bigint[] = []
beforeAll(async () => {
  const none = async (_: unknown, id: bigint) => {
    readIds.push(id)
    throw notFound()
  }
  served = await serve({
    expert: [
      resourceRoutes(noteResource, { list: async () => ({ items: [] }), get: none, create: async () => 1n, change: none, remove: none }),
      (app) => void app.post('/note/all', async () => ({ status: 'OK' })),
    ],
  })
  http = served.asExpert(testTenant(served.issuer).expert)
})
afterAll(() => served.stop())

const same = { status: 404, text: '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}' }
const shortly = ({ status, text }: { status: number; text: string }) => ({ status, text })

describe('an unknown record', () => {
  it.each(['0', '01', '-1', '1.0', '1e3', 'abc', '%00', '%31%20', '9007199254740992', '9'.repeat(99), '9'.repeat(300)])(
    'by the id %s is the same 404 as by an id that does not exist',
    async (id) => {
      expect(shortly(await http.get('/note/9007199254740991'))).toEqual(same)
      readIds.length = 0
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(shortly(await http.request(method, `/note/${id}`, method === 'PUT' ? { Note: {} } : undefined))).toEqual(same)
      expect(readIds).toEqual([])
    },
  )

  it.each(['/nope', '/note/1/2', '/Note', '/note/', '//note', '/%zz', '/note/%e0%a4%a', '/__proto__', '/note;a=1'])(
    'by the address %s is that 404, too',
    async (path) => {
      expect(shortly(await http.get(path))).toEqual(same)
      expect(shortly(await http.post(path, '{'))).toEqual(same)
    },
  )

  it.each(['/', '/rest/note', '/expert', '/expert/note', '/client/rest/note', '/__proto__', '/healthz/'])(
    'is the same 404 without a token: %s',
    async (path) => expect(shortly(await httpClient(served.url).get(path))).toEqual(same),
  )
})

describe('a method that a URL does not support', () => {
  it.each([
    ['PATCH', '/note', 'GET, HEAD, POST'],
    ['DELETE', '/note?a=/1', 'GET, HEAD, POST'],
    ['OPTIONS', '/note', 'GET, HEAD, POST'],
    ['POST', '/note/7', 'GET, HEAD, PUT, DELETE'],
    ['POST', '/note/x', 'GET, HEAD, PUT, DELETE'],
    ['PATCH', '/note/all', 'POST'],
  ])('%s %s is 405 with the allowed methods', async (method, path, allow) => {
    const { status, headers, text } = await http.request(method, path, '{')
    expect([status, headers.get('allow')]).toEqual([405, allow])
    expect(text).toBe('{"status":"error","errorMessages":"This method is not allowed here.","errorCode":"METHOD_NOT_ALLOWED"}')
  })

  it('is 405 also where it is uncommon', async () => {
    const answer = await sendRaw(served.port, 'PROPFIND /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    expect(partsOf(answer)).toMatchObject({ status: 405, body: { errorCode: 'METHOD_NOT_ALLOWED' } })
    expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/)
  })
})
