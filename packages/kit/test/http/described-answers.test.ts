import { conflict, limited, notFound, stale, unavailable } from '@caseway/kit/errors'
import { idText, line, nullable, timestamp } from '@caseway/kit/fields'
import { resourceRoutes, singletonRoute } from '@caseway/kit/http'
import { defineResource, many, one, type ResourceHandlers } from '@caseway/kit/resource'
import { httpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Compile } from 'typebox/compile'
import { noteResource } from '../support/notes.js'
import { type Served, serve } from './support/served.js'

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>>
  components: { schemas: Record<string, object> }
}

/** A record with embedded objects: one, and several. */
const cardResource = defineResource({
  name: 'Card',
  path: 'card',
  table: 'cards',
  fields: { id: idText, title: nullable(line({ max: 9 })) },
  embedded: { Owner: one('id', { id: idText, name: line({ max: 9 }) }), Stamp: many('card_id', { card_id: idText }) },
  listAs: 'results',
})

/** The same record without embedded objects, at another path. */
const bareCardResource = defineResource({
  ...{ name: 'Card', documentedAs: 'BareCard', path: 'card/bare', table: 'cards' },
  fields: { id: idText },
})

/** A resource whose create answers with the record. */
const receiptResource = defineResource({
  name: 'Receipt',
  path: 'receipt',
  table: 'receipts',
  fields: { id: idText, at: timestamp },
  embedded: { Owner: one('id', { name: line({ max: 9 }) }) },
  createAnswers: 'record',
})

/** A resource whose create answers with some fields, and whose list has its own path. */
const ticketResource = defineResource({
  name: 'Ticket',
  path: 'ticket',
  table: 'tickets',
  fields: { id: idText, code: line({ max: 9 }), at: timestamp },
  listAs: 'results',
  listAt: 'list',
  createAnswers: ['code'],
})

const at = new Date('2026-07-01T10:00:00Z')
const note = { id: 1n, customerId: 7n, clientId: null, title: 'a', rank: 3, day: '2026-07-01', done: true, created: at, modified: at }
const card = { id: 1n, title: null, version: 1, owner: { id: 2n, name: 'b', secret: 'hunter2' }, stamp: [{ cardId: 1n }] }

/** The error that the handlers throw, if any. */
let trouble: Error | undefined
const unlessTrouble = <T>(value: T) => {
  if (trouble) throw trouble
  return value
}
const notes: ResourceHandlers<typeof noteResource> = {
  list: async () => unlessTrouble({ items: [{ ...note, version: 1 }], next: { value: 1n, id: 1n }, total: 2 }),
  get: async () => unlessTrouble({ ...note, rank: null, day: null, version: 1 }),
  create: async () => unlessTrouble(5n),
  change: async () => unlessTrouble(undefined),
  remove: async () => unlessTrouble(undefined),
}
const receipts: ResourceHandlers<typeof receiptResource> = {
  get: async (_, id) => ({ id, at, version: 1, owner: { name: 'b' } }),
  create: async () => 7n,
}
const ticket = { id: 8n, code: 'xyz', at, version: 1 }
const tickets: ResourceHandlers<typeof ticketResource> = {
  list: async () => ({ items: [ticket], next: { value: 8n, id: 8n } }),
  get: async () => ticket,
  create: async () => 8n,
}
let served: Served
beforeAll(async () => {
  const cards = { list: async () => ({ items: [card] }), get: async () => card }
  const bareCards = resourceRoutes(bareCardResource, { list: cards.list })
  served = await serve({
    expert: [
      resourceRoutes(noteResource, notes),
      resourceRoutes(receiptResource, receipts),
      resourceRoutes(cardResource, cards),
      bareCards,
      resourceRoutes(ticketResource, tickets),
      singletonRoute(ticketResource, { path: '', operationId: 'getLastTicket' }, async () => ticket),
    ],
  })
})
afterAll(() => served.stop())

/** Validates an answer against its schema in the document. */
async function isDescribed(route: string, { status, text }: { status: number; text: string }): Promise<void> {
  const { paths, components } = (await httpClient(served.url).get<OpenApi>('/expert/openapi.json')).body
  const [method = '', path = ''] = route.split(' ')
  const { schema } = paths[path]?.[method]?.responses[status]?.content?.['application/json'] ?? {}
  expect([route, status, schema]).toEqual([route, status, expect.any(Object)])
  const whole = JSON.stringify(schema).replace(/\{"\$ref":"#\/components\/schemas\/(\w+)"\}/g, (_, name) =>
    JSON.stringify(components.schemas[name]),
  )
  expect([...Compile(JSON.parse(whole)).Errors(JSON.parse(text))]).toEqual([])
}

describe('an answer satisfies the document', () => {
  const requests = [
    ['get /rest/note', '/note', undefined, 200],
    ['get /rest/note', '/note?colour=red', undefined, 400],
    ['post /rest/note', '/note', { Note: { title: 'a' } }, 201],
    ['post /rest/note', '/note', { Note: { title: 5 } }, 400],
    ['post /rest/note', '/note', 'x'.repeat(2 ** 20 + 1), 413],
    ['get /rest/note/{id}', '/note/1', undefined, 200],
    ['get /rest/note/{id}', '/note/x', undefined, 404],
    ['put /rest/note/{id}', '/note/1', { Note: {} }, 200],
    ['delete /rest/note/{id}', '/note/1', undefined, 200],
    ['post /rest/receipt', '/receipt', { Receipt: {} }, 201],
    ['post /rest/ticket', '/ticket', { Ticket: {} }, 201],
    ['get /rest/ticket', '/ticket', undefined, 200],
    ['get /rest/ticket/list', '/ticket/list', undefined, 200],
    ['get /rest/ticket/{id}', '/ticket/8', undefined, 200],
    ['get /rest/card', '/card', undefined, 200],
    ['get /rest/card/{id}', '/card/1', undefined, 200],
    ['get /rest/card/bare', '/card/bare', undefined, 200],
  ] as const

  it.each(requests)('%s (%s)', async (route, path, body, status) => {
    const http = served.asExpert(testTenant(served.issuer).expert)
    const answer = await http.request(route.split(' ')[0]?.toUpperCase() ?? '', path, body)
    expect(answer.status).toBe(status)
    await isDescribed(route, answer)
    if (route.endsWith('{id}')) return
    const nobody = await http.as(undefined).request(route.split(' ')[0] ?? '', path, body)
    await isDescribed(route, nobody)
  })

  it.each([notFound(), conflict('NOT_NOW', 'Not now.'), stale(), limited(1), unavailable()])('when a handler throws %s', async (error) => {
    trouble = error
    const answer = await served.asExpert(testTenant(served.issuer).expert).put('/note/1', { Note: {} })
    trouble = undefined
    await isDescribed('put /rest/note/{id}', answer)
  })
})

it('a record has the declared embedded objects, and no others', async () => {
  const http = served.asExpert(testTenant(served.issuer).expert)
  const shown = { Card: { id: '1', title: null }, Owner: { id: '2', name: 'b' }, Stamp: [{ card_id: '1' }] }
  expect((await http.get('/card/1')).body).toEqual(shown)
  expect((await http.get('/card')).body).toEqual({ results: [shown] })
})

it('a create that answers with its record shows no embedded objects', async () => {
  const { status, body, headers } = await served.asExpert(testTenant(served.issuer).expert).post('/receipt', { Receipt: {} })
  expect({ status, body }).toEqual({ status: 201, body: { Receipt: { id: '7', at: '2026-07-01 12:00:00' } } })
  expect(headers.get('location')).toMatch(/\/rest\/receipt\/7$/)
})

it('a create may answer with some fields in addition to the id', async () => {
  const { status, body, headers } = await served.asExpert(testTenant(served.issuer).expert).post('/ticket', { Ticket: {} })
  expect({ status, body }).toEqual({ status: 201, body: { id: 8, code: 'xyz' } })
  expect(headers.get('location')).toMatch(/\/rest\/ticket\/8$/)
})

it('a list may have a path of its own, which the link to its next page has as well', async () => {
  const http = served.asExpert(testTenant(served.issuer).expert)
  const shown = { Ticket: { id: '8', code: 'xyz', at: '2026-07-01 12:00:00' } }
  const { body, headers } = await http.get('/ticket/list')
  expect(body).toEqual({ results: [shown] })
  expect(headers.get('link')).toMatch(/\/rest\/ticket\/list\?cursor=/)
  expect((await http.get('/ticket')).body).toEqual(shown)
})
