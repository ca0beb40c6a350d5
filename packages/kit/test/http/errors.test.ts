import { AppError, conflict, invalid, limited, notFound, tooLarge, unavailable } from '@caseway/kit/errors'
import { resourceRoutes } from '@caseway/kit/http'
import { type HttpClient, httpClient, testClient, testTechnical, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { clientNoteResource, noteResource } from '../support/notes.js'
import { type Served, serve } from './support/served.js'

const secret = 'the password is hunter2'
const failures: Record<string, () => unknown> = {
  fault: () => {
    throw new Error(secret)
  },
  text: () => {
    throw secret
  },
  conflict: () => {
    throw conflict('NOT_NOW', 'Not now.', 3)
  },
  limited: () => {
    throw limited(7)
  },
  unavailable: () => {
    throw unavailable(new Error(secret))
  },
  large: () => {
    throw tooLarge()
  },
  fields: () => {
    throw invalid({ name: 'is wrong' })
  },
}

let served: Served
let nobody: HttpClient
const touched: string[] = []
beforeAll(async () => {
  const touch = (what: string) => async () => {
    touched.push(what)
    throw notFound()
  }
  const roles = ['administrator'] as const
  served = await serve({
    expert: [
      resourceRoutes(
        { ...noteResource, roles: { ...noteResource.roles, update: roles, remove: roles } },
        { list: async () => ({ items: [] }), get: touch('get'), create: async () => 1n, change: touch('change'), remove: touch('remove') },
      ),
      (app) => {
        for (const [name, fail] of Object.entries(failures)) app.get(`/${name}`, async () => fail())
        app.get('/public', { config: { public: true } }, async () => ({ status: 'OK' }))
      },
    ],
    client: [resourceRoutes(clientNoteResource, { list: async () => ({ items: [] }) })],
    ready: () => false,
  })
  nobody = httpClient(served.url)
})
afterAll(() => served.stop())

const office = () => testTenant(served.issuer)

describe('a request without a good token', () => {
  const tokens = () => {
    const { customerId, expert } = office()
    const signed = (over: object) => served.issuer.tokenFor({ role: 'expert', userId: 5n, customerId, ...over })
    const [head, payload] = expert.token.split('.')
    return {
      'is expired': signed({ expiresInSeconds: -1 }),
      'is from elsewhere': signed({ claims: { iss: 'elsewhere' } }),
      'is for the other address': signed({ role: 'client', customerId: null }),
      'has a changed signature': `${head}.${payload}.${'A'.repeat(342)}`,
      'has no signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
      'is nonsense': 'nonsense',
      'is empty': '',
    }
  }
  const kinds = [
    'is expired',
    'is from elsewhere',
    'is for the other address',
    'has a changed signature',
    'has no signature',
    'is nonsense',
  ]

  it('is told that one is needed, and no error code', async () => {
    const { status, headers, text } = await nobody.get('/expert/rest/note')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer realm="expert"')
    expect(text).toBe('{"status":"error","errorMessages":"An access token is required.","errorCode":"TOKEN_MISSING"}')
    const basic = await nobody.get('/expert/rest/note', { authorization: 'Basic YTpi' })
    expect([basic.status, basic.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="expert"'])
  })

  it.each(kinds)('is 401 when the token %s', async (kind) => {
    const token = tokens()[kind as keyof ReturnType<typeof tokens>]
    for (const [method, path] of [
      ['GET', '/note'],
      ['POST', '/note'],
      ['PUT', '/note/1'],
      ['DELETE', '/note/x'],
    ] as const) {
      const answer = await httpClient(`${served.url}/expert/rest`, token).request(method, path)
      expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ errorCode: 'TOKEN_INVALID' })])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="expert", error="invalid_token", error_description=".+"$/)
    }
  })

  it('gets to what is public', async () => expect((await nobody.get('/expert/rest/public')).body).toEqual({ status: 'OK' }))
})

describe('a role', () => {
  it('is looked at before the id and the body', async () => {
    touched.length = 0
    const { trainee } = office()
    for (const path of ['/note/1', '/note/x', '/note/0']) {
      for (const method of ['PUT', 'DELETE']) {
        const { status, body } = await served.asExpert(trainee).request(method, path, method === 'PUT' ? '{' : undefined)
        expect([status, body]).toEqual([403, { status: 'error', errorMessages: 'You may not do this.', errorCode: 'FORBIDDEN' }])
      }
    }
    expect(touched).toEqual([])
  })

  it('of an external platform is none of the office, and a client has his own address', async () => {
    expect((await served.asExpert(testTechnical(served.issuer)).get('/note')).status).toBe(403)
    expect((await served.asClient(testClient(served.issuer)).get('/note')).status).toBe(200)
    expect((await served.asClient(office().expert).get('/note')).status).toBe(401)
  })
})

describe('what is not there', () => {
  it('is one answer, byte for byte', async () => {
    const http = served.asExpert(office().administrator)
    const paths = [
      '/note/1',
      '/note/9007199254740991',
      '/note/9007199254740992',
      '/note/0',
      '/note/01',
      '/note/-1',
      '/note/abc',
      '/note/%00',
    ]
    const answers = await Promise.all(paths.map((path) => http.get(path)))
    for (const { status, text } of answers) {
      expect({ status, text }).toEqual({
        status: 404,
        text: '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}',
      })
    }
    for (const path of ['/nope', '/note/1/2', '/Note', '/note/', '//note', '/%zz', '/note/%e0%a4%a'])
      expect((await http.get(path)).text).toBe(answers[0]?.text)
    expect((await nobody.get('/rest/note')).text).toBe(answers[0]?.text)
    expect((await nobody.get('/__proto__')).text).toBe(answers[0]?.text)
  })

  it('is a method that the address has not, with those that it has', async () => {
    const http = served.asExpert(office().administrator)
    const cases = [
      ['PATCH', '/note', 'GET, HEAD, POST'],
      ['DELETE', '/note', 'GET, HEAD, POST'],
      ['POST', '/note/7', 'GET, HEAD, PUT, DELETE'],
      ['PUT', '/public', 'GET, HEAD'],
    ] as const
    for (const [method, path, allow] of cases) {
      const { status, headers, body } = await http.request(method, path, {})
      expect([status, headers.get('allow')]).toEqual([405, allow])
      expect(body).toEqual({ status: 'error', errorMessages: 'This method is not allowed here.', errorCode: 'METHOD_NOT_ALLOWED' })
    }
  })
})

describe('a body', () => {
  it.each([
    ['{"Note":', 'must be valid JSON'],
    ['{"Note":{"title":"a"}}}', 'must be valid JSON'],
    ['{"__proto__":{}}', 'must be valid JSON'],
    ['{"Note":{"constructor":{"prototype":{}}}}', 'must be valid JSON'],
  ])('%s %s', async (body, why) => {
    const { status, text } = await served.asExpert(office().expert).post('/note', body)
    expect({ status, text }).toEqual({ status: 400, text: `{"status":"error","errorMessages":{"body":"${why}"}}` })
  })

  it('must be UTF-8', async () => {
    const { token } = office().expert
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = Buffer.from([...Buffer.from('{"Note":{"title":"'), 0xff, ...Buffer.from('"}}')])
    const answer = await fetch(`${served.url}/expert/rest/note`, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toEqual([400, { status: 'error', errorMessages: { body: 'must be UTF-8' } }])
  })

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'])(
    'of type %s is 415',
    async (type) => {
      const { status, body } = await served.asExpert(office().expert).post('/note', 'a=1', { 'content-type': type })
      expect([status, body]).toEqual([415, expect.objectContaining({ errorCode: 'UNSUPPORTED_MEDIA_TYPE' })])
    },
  )

  it('of more than a mebibyte is 413', async () => {
    const http = served.asExpert(office().expert)
    const { status, body } = await http.post('/note', { Note: { title: 'x'.repeat(2 ** 20) } })
    expect([status, body]).toEqual([413, { status: 'error', errorMessages: 'The request is too large.', errorCode: 'TOO_LARGE' }])
  })
})

describe('a failure', () => {
  it.each([
    ['conflict', 409, { errorMessages: 'Not now.', errorCode: 'NOT_NOW' }, '3'],
    ['limited', 429, { errorCode: 'TOO_MANY_REQUESTS' }, '7'],
    ['unavailable', 503, { errorCode: 'UNAVAILABLE' }, '1'],
    ['large', 413, { errorCode: 'TOO_LARGE' }, null],
    ['fields', 400, { errorMessages: { name: 'is wrong' } }, null],
  ])('%s is %i in the one shape', async (name, status, body, retryAfter) => {
    const answer = await served.asExpert(office().expert).get(`/${name}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(answer.body).toEqual(expect.objectContaining({ status: 'error', ...body }))
    expect(answer.text).not.toContain(secret)
  })

  it.each(['fault', 'text'])('of ours (%s) shows nothing, and its request id leads to the log', async (name) => {
    served.lines.length = 0
    const { status, text, headers } = await served.asExpert(office().expert).get(`/${name}`, { 'x-request-id': `look-for-${name}` })
    expect(status).toBe(500)
    expect(JSON.parse(text)).toEqual({ status: 'error', errorMessages: expect.not.stringContaining(secret), errorCode: 'INTERNAL' })
    expect(headers.get('x-request-id')).toBe(`look-for-${name}`)
    const logged = served.lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')
    expect(logged).toMatchObject({ requestId: `look-for-${name}`, role: 'expert' })
    expect(JSON.stringify(logged)).toContain(secret)
  })
})

describe('every answer', () => {
  it('carries a request id: the one that came, when it is fit for a header and a log', async () => {
    const http = served.asExpert(office().expert)
    const idOf = async (path: string, sent?: string) =>
      (await http.get(path, sent ? { 'x-request-id': sent } : {})).headers.get('x-request-id')
    expect(await idOf('/note', 'a-1.b_2')).toBe('a-1.b_2')
    for (const path of ['/note', '/nope', '/fault', '/%zz']) expect(await idOf(path)).toMatch(/^[\w.-]{36}$/)
    for (const odd of ['a b', 'x'.repeat(129), '<script>']) expect(await idOf('/note', odd)).not.toBe(odd)
  })

  it('says whether the process lives and whether it wants requests', async () => {
    expect((await nobody.get('/healthz')).body).toEqual({ status: 'OK' })
    const ready = await nobody.get('/readyz')
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1'])
    expect(ready.body).toMatchObject({ errorCode: new AppError('unavailable', 'UNAVAILABLE', '').code })
  })
})
