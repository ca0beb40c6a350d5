import { conflict, notFound } from '@caseway/kit/errors'
import { flagText, idText, line, nullable, required, timestamp } from '@caseway/kit/fields'
import { action, created as createdAnswer, ok, recordAnswers, sendRecord, singletonRoute, wrappedBody } from '@caseway/kit/http'
import { defineResource } from '@caseway/kit/resource'
import { eventually, having, httpClient, invalidFields, testTenant, versionOf } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import Type from 'typebox'
import { onTheClocksOf, type Served, serve } from './support/served.js'

const offerResource = defineResource({
  name: 'Offer',
  path: 'offer',
  table: 'offers',
  fields: { id: idText, customer_id: idText, name: line({ max: 9 }), created: timestamp, modified: timestamp },
})
const created = new Date('2026-07-01T10:00:00Z')

const body = wrappedBody('Offer', { name: required(line({ max: 5 })), loud: flagText, to_whom: nullable(idText), due: timestamp })
const choices = { description: 'Choose one.', ...Type.Object({ status: Type.Literal('error'), names: Type.Array(Type.String()) }) }
const query = Type.Object({ kind: Type.Optional(Type.Enum(['a', 'b'])) })

/** The arguments of the handlers. */
let calls: Record<string, unknown>[] = []
beforeEach(() => {
  calls = []
})

let served: Served
beforeAll(async () => {
  served = await serve({
    expert: [
      singletonRoute(offerResource, { path: 'mine', operationId: 'getOwnOffer' }, async ({ userId: id, customerId }) => {
        return { id, customerId, name: 'Mine', created, modified: created, version: 3 }
      }),
      singletonRoute(offerResource, { path: 'next', operationId: 'getNextOffer' }, async ({ userId: id, customerId }) => {
        return { id, customerId, name: 'Next', created, modified: created, version: 0 }
      }),
      [
        action(
          offerResource,
          {
            method: 'PUT',
            path: ':id/choice',
            operationId: 'chooseOffer',
            body,
            versioned: true,
            answers: { 200: ok, 300: choices },
            errors: [409],
          },
          async ({ caller, id, body, expected, reply }) => {
            calls.push({ userId: caller.userId, id, body, expected })
            if (body.name === 'both') {
              reply.code(300)
              return { status: 'error', names: ['one', 'two'], secret: 'hunter2' }
            }
            if (body.name === 'taken') throw conflict('TAKEN', 'It is taken.')
            if (id === 404n) throw notFound()
          },
        ),
        action(
          offerResource,
          { method: 'POST', path: 'repeat', operationId: 'repeatOffer', versioned: true, answers: { 201: createdAnswer } },
          async () => 2n ** 40n,
        ),
        action(
          offerResource,
          { method: 'POST', path: 'try', operationId: 'tryOffer', idempotency: 'none', answers: { 200: ok } },
          async () => undefined,
        ),
        action(
          offerResource,
          { method: 'GET', path: 'kinds', operationId: 'listKinds', query, answers: { 200: Type.Object({ kind: Type.String() }) } },
          async ({ query }) => ({ kind: query.kind ?? 'none' }),
        ),
        action(
          offerResource,
          { method: 'GET', path: ':id/terms', operationId: 'getTerms', versioned: true, answers: recordAnswers(Type.Array(Type.String())) },
          async ({ reply }) => sendRecord(reply.request, reply, 7, '["net 30"]'),
        ),
      ],
      action(
        { name: 'Offer', path: 'offer/all' },
        { method: 'DELETE', path: '', operationId: 'removeOffers', answers: { 200: ok }, roles: ['administrator'] },
        async () => undefined,
      ),
    ],
  })
})
afterAll(() => served.stop())

const shortly = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
const somebody = () => {
  const { expert, customerId } = testTenant(served.issuer)
  return { http: served.asExpert(expert), userId: expert.userId, customerId }
}
const choose = (sent: object, path = '/offer/7/choice', headers = {}) => somebody().http.put(path, sent, headers)

it('an action that returns an id answers 201 with `location`', async () => {
  const { token } = testTenant(served.issuer).expert
  const { status, headers, body } = await httpClient(`${served.url}/expert/rest`, token).post('/offer/repeat')
  expect([status, body]).toEqual([201, { id: 2 ** 40 }])
  expect(headers.get('location')).toMatch(/^https?:\/\/.+\/rest\/offer\/1099511627776$/)
})

describe('an action', () => {
  it('gets caller, id, version and the values of the body by camelCase names', async () => {
    const { http, userId } = somebody()
    const sent = { Offer: { name: 'hello', loud: 1, to_whom: '7', more: 1 } }
    expect(shortly(await http.put('/offer/7/choice', sent, { 'if-match': '"3"' }))).toEqual({ status: 200, body: { status: 'OK' } })
    expect(calls).toEqual([{ userId, id: 7n, body: { name: 'hello', loud: true, toWhom: 7n }, expected: 3 }])
  })

  it('may send its answer itself', async () => {
    const { http } = somebody()
    const terms = await http.get('/offer/7/terms', { 'x-request-id': 'terms' })
    expect([terms.status, terms.body, versionOf(terms)]).toEqual([200, ['net 30'], 7])
    expect((await http.get('/offer/7/terms', { ...having(terms), 'x-request-id': 'terms' })).status).toBe(304)
    // The request is logged shortly after the client has read the answer.
    await eventually(async () => {
      const lines = served.lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === 'terms')
      expect(lines.map(({ msg, status }) => [msg, status])).toEqual([
        ['answered', 200],
        ['answered', 304],
      ])
    })
  })

  it('reads times in the time zone of the office', async () => {
    const { http, customerId } = somebody()
    onTheClocksOf(customerId, 'Asia/Tokyo')
    await http.put('/offer/7/choice', { Offer: { name: 'a', due: '2026-07-01 09:00:00' } })
    expect(calls).toMatchObject([{ body: { due: new Date('2026-07-01T00:00:00Z') } }])
  })

  it('refuses a body with the texts of a resource, and is not called', async () => {
    expect(shortly(await choose({}))).toEqual(invalidFields({ Offer: 'is required' }))
    const wrong = { name: 'must be at most 5 characters', loud: 'must be 0 or 1' }
    expect(shortly(await choose({ Offer: { name: 'too long', loud: 'x' } }))).toEqual(invalidFields(wrong))
    expect(calls).toEqual([])
  })

  it('answers 404 for a malformed id, whatever the body', async () => {
    for (const id of ['x', '0', '007', '1.5', '9'.repeat(17)]) expect((await choose({}, `/offer/${id}/choice`)).status).toBe(404)
  })

  it('answers with a declared status, and only with declared fields', async () => {
    const { status, body } = await choose({ Offer: { name: 'both' } })
    expect([status, body]).toEqual([300, { status: 'error', names: ['one', 'two'] }])
  })

  it('answers an error of its handler in the usual shape', async () => {
    expect(shortly(await choose({ Offer: { name: 'taken' } }))).toMatchObject({ status: 409, body: { errorCode: 'TAKEN' } })
    expect((await choose({ Offer: { name: 'a' } }, '/offer/404/choice')).status).toBe(404)
  })

  it('reads its query, and refuses an invalid one', async () => {
    const { http } = somebody()
    expect((await http.get('/offer/kinds?kind=a')).body).toEqual({ kind: 'a' })
    expect(shortly(await http.get('/offer/kinds?kind=c'))).toEqual(invalidFields({ kind: 'must be one of a, b' }))
    expect(shortly(await http.get('/offer/kinds?x=1&limit=2'))).toEqual(invalidFields({ x: 'is unknown', limit: 'is unknown' }))
  })

  it('is open to its roles only', async () => {
    expect((await somebody().http.delete('/offer/all')).status).toBe(403)
    expect((await httpClient(`${served.url}/expert/rest`).delete('/offer/all')).status).toBe(401)
  })

  it('for one address is not served on the other', async () => {
    const subject = { name: 'Offer', path: 'offer', audience: 'client' } as const
    const wrong = action(subject, { method: 'GET', path: 'x', operationId: 'getX', answers: { 200: ok } }, async () => undefined)
    await expect(serve({ expert: [wrong] })).rejects.toThrow('getX is not for the expert address.')
  })
})

describe('the document of an action', () => {
  interface Operation {
    operationId: string
    tags: string[]
    parameters: { in: string; name: string }[]
    responses: Record<string, unknown>
  }
  const operation = async (method: string, path: string) => {
    const { body } = await httpClient(served.url).get<{ paths: Record<string, Record<string, Operation>> }>('/expert/openapi.json')
    return body.paths[path]?.[method] as Operation
  }

  it('shows every answer, including the errors that follow from method, path and body', async () => {
    const { operationId, tags, parameters, responses } = await operation('put', '/rest/offer/{id}/choice')
    expect([operationId, tags]).toEqual(['chooseOffer', ['Offer']])
    expect(parameters.map(({ name }) => name)).toEqual(['id', 'if-match'])
    expect(Object.keys(responses)).toEqual(['200', '300', '400', '401', '403', '404', '409', '412', '413', '415', '429', '503'])
  })

  it('shows the headers that it honours', async () => {
    const headersOf = async (path: string) => ((await operation('post', path)).parameters ?? []).map(({ name }) => name)
    expect(await headersOf('/rest/offer/repeat')).toEqual(['if-match', 'idempotency-key'])
    expect(await headersOf('/rest/offer/try')).toEqual([])
  })

  it('shows no answer that cannot occur', async () => {
    expect(Object.keys((await operation('get', '/rest/offer/kinds')).responses)).toEqual(['200', '400', '401', '403', '429', '503'])
  })

  it.each([
    ['POST', '/offer/repeat'],
    ['DELETE', '/offer/all'],
  ])('shows how an unexpected body is refused: %s', async (method, path) => {
    const ofBody = Object.keys((await operation(method.toLowerCase(), `/rest${path}`)).responses).filter((one) => /400|413|415/.test(one))
    expect(ofBody).toEqual(['400', '413', '415'])
    const { token } = testTenant(served.issuer).administrator
    const send = async (type: string, body: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      return (await fetch(`${served.url}/expert/rest${path}`, { method, headers, body })).status
    }
    const statuses = [
      await send('application/json', '{'),
      await send('application/json', 'x'.repeat(2_000_000)),
      await send('text/plain', 'a'),
    ]
    expect(statuses).toEqual([400, 413, 415])
  })
})

describe('a singleton', () => {
  it('is read like any record, without an id in the path', async () => {
    const { http, userId, customerId } = somebody()
    const mine = await http.get('/offer/mine')
    const at = '2026-07-01 12:00:00'
    expect([mine.status, versionOf(mine)]).toEqual([200, 3])
    expect(mine.body).toEqual({ Offer: { id: String(userId), customer_id: String(customerId), name: 'Mine', created: at, modified: at } })
    expect((await http.get('/offer/mine', having(mine))).status).toBe(304)
  })

  it('has no entity tag where it is not stored', async () => {
    const { status, headers } = await served.asExpert(testTenant(served.issuer).trainee).get('/offer/next', { 'if-none-match': '"0", *' })
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, null, 'no-store'])
  })
})
