import { expertUrl, type TestTenant, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

interface Created {
  id: number
  external_hash: string
}
const url = 'https://shop.example'
const newWidget = { ChatWidget: { url } }
const done = { status: 'OK' }
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

const create = async ({ expert }: TestTenant, fields: object = {}) =>
  (await service.asExpert(expert).post<Created>('/chat_widget', { ChatWidget: { url, ...fields } })).body

describe('POST /rest/chat_widget', () => {
  it('answers with the id and the hash, and GET with what the contract shows', async () => {
    const http = service.asExpert(service.office().expert)
    const { status, headers, body } = await http.post<Created>('/chat_widget', newWidget)
    expect([status, body]).toEqual([201, { id: expect.any(Number), external_hash: uuid }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/chat_widget/${body.id}`)
    const { external_hash } = body
    expect((await http.get(`/chat_widget/${body.id}`)).body).toEqual({
      ChatWidget: { id: String(body.id), external_hash, settings: '{}', created: time, modified: time },
    })
  })

  it('stores settings byte for byte', async () => {
    const office = service.office()
    const settings = '{ "open_case": true,\t"color": "ż", "texts": {"send":"Go"}, "n": 1.0 }'
    const { id } = await create(office, { settings })
    expect((await service.asExpert(office.expert).get(`/chat_widget/${id}`)).body).toMatchObject({ ChatWidget: { settings } })
  })

  it('shows removed settings as an empty object, as without settings', async () => {
    const office = service.office()
    const http = service.asExpert(office.expert)
    const { id } = await create(office, { settings: null })
    expect((await http.get(`/chat_widget/${id}`)).body).toMatchObject({ ChatWidget: { settings: '{}' } })
    await http.put(`/chat_widget/${id}`, { ChatWidget: { settings: '{"lang":"pl"}' } })
    expect((await http.put(`/chat_widget/${id}`, { ChatWidget: { settings: null } })).body).toEqual(done)
    expect((await http.get('/chat_widget')).body).toMatchObject({ ChatWidget: { settings: '{}' } })
  })

  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  it.each([
    ['no url', { url: undefined }, 'url'],
    ['a url with a path', { url: 'https://shop.example/contact' }, 'url'],
    ['an invalid url', { url: 'javascript:alert(1)' }, 'url'],
    ['a url that is too long', { url: `https://${'a'.repeat(2041)}` }, 'url'],
    ['settings that are no JSON', { settings: '{' }, 'settings'],
    ['settings that are no object', { settings: '[]' }, 'settings'],
    ['settings that are 11 levels deep', { settings: deep(11) }, 'settings'],
    ['settings of more than 64 KiB', { settings: JSON.stringify({ a: 'a'.repeat(65_529) }) }, 'settings'],
    ['open_case that is no boolean', { settings: '{"open_case":"yes"}' }, 'settings'],
    ['settings whose texts are not strings', { settings: '{"texts":{"send":1}}' }, 'settings'],
  ])('refuses %s', async (_, fields, wrong) => {
    const { status, body } = await service
      .asExpert(service.office().expert)
      .post('/chat_widget', { ChatWidget: { ...newWidget.ChatWidget, ...fields } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { [wrong]: expect.any(String) } }])
  })

  it('accepts settings of 64 KiB, and of 10 levels', async () => {
    const office = service.office()
    for (const settings of [JSON.stringify({ a: 'a'.repeat(65_528) }), deep(10)])
      expect(await create(office, { settings })).toHaveProperty('id')
  })
})

describe('GET /rest/chat_widget', () => {
  it('answers the newest widget of the office, and 404 where there is none', async () => {
    const office = service.office()
    const http = service.asExpert(office.trainee)
    expect((await http.get('/chat_widget')).status).toBe(404)
    await create(office)
    const { id } = await create(office)
    await create(service.office())
    expect((await http.get('/chat_widget')).body).toMatchObject({ ChatWidget: { id: String(id) } })
    await service.asExpert(office.expert).delete(`/chat_widget/${id}`)
    expect((await http.get('/chat_widget')).body).not.toMatchObject({ ChatWidget: { id: String(id) } })
  })

  it('lists all of them at /list, page by page', async () => {
    const office = service.office()
    const ids = [(await create(office)).id, (await create(office)).id].map(String)
    await create(service.office())
    const http = service.asExpert(office.expert)
    const list = async (query: string) => {
      const { body, headers } = await http.get<{ results: { ChatWidget: { id: string } }[] }>(`/chat_widget/list${query}`)
      return { ids: body.results.map(({ ChatWidget }) => ChatWidget.id), link: headers.get('link') }
    }
    expect((await list('')).ids).toEqual(ids)
    const first = await list('?limit=1&sort=-id')
    expect(first.ids).toEqual([ids[1]])
    const [, next] = /list(\?[^>]+)>/.exec(first.link ?? '') ?? []
    expect((await list(next ?? '')).ids).toEqual([ids[0]])
  })
})

describe('PUT and DELETE /rest/chat_widget/{id}', () => {
  it('change and delete the widget', async () => {
    const office = service.office()
    const http = service.asExpert(office.expert)
    const { id, external_hash } = await create(office)
    const path = `/chat_widget/${id}`
    const changes = { url: 'https://Other.example/', settings: '{"a":1}', external_hash: 'mine' }
    expect((await http.put(path, { ChatWidget: changes })).body).toEqual(done)
    expect((await http.get(path)).body).toMatchObject({ ChatWidget: { external_hash, settings: '{"a":1}' } })
    expect(await service.database.rows('SELECT url FROM chat_widgets WHERE id = $1', [id])).toEqual([{ url: 'https://other.example' }])
    expect((await http.put(path, { ChatWidget: {} }, { 'if-match': '"1"' })).status).toBe(412)
    expect((await http.delete(path)).body).toEqual(done)
    expect((await http.get(path)).status).toBe(404)
  })

  it('replace the hash by PUT /external_hash', async () => {
    const office = service.office()
    const { id, external_hash } = await create(office)
    const { status, body } = await service.asExpert(office.expert).put<Created>(`/chat_widget/${id}/external_hash`)
    expect([status, body]).toEqual([200, { external_hash: uuid }])
    expect(body.external_hash).not.toBe(external_hash)
    expect((await service.visitor.get(`/widgets/${external_hash}`)).status).toBe(404)
    expect((await service.visitor.get(`/widgets/${body.external_hash}`)).status).toBe(200)
  })

  it('of another office are the same 404 as of a record that does not exist', async () => {
    const { id } = await create(service.office())
    const stranger = service.asExpert(service.office().administrator)
    for (const [method, below] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['PUT', '/external_hash'],
    ] as const) {
      const sent = method === 'PUT' ? newWidget : undefined
      const foreign = await stranger.request(method, `/chat_widget/${id}${below}`, sent)
      const unknown = await stranger.request(method, `/chat_widget/999999999${below}`, sent)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
    expect(await service.database.rows('SELECT version FROM chat_widgets WHERE id = $1', [id])).toEqual([{ version: 1 }])
  })
})

describe('who may', () => {
  const reads = [
    ['GET', '/chat_widget'],
    ['GET', '/chat_widget/list'],
    ['GET', '/chat_widget/1'],
  ] as const
  const writes = [
    ['POST', '/chat_widget'],
    ['PUT', '/chat_widget/1'],
    ['DELETE', '/chat_widget/1'],
    ['PUT', '/chat_widget/1/external_hash'],
  ] as const
  const bodyOf = (method: string) => (method === 'POST' || method === 'PUT' ? newWidget : undefined)

  it.each([...reads, ...writes])('%s %s: nobody without a token, no technical account, no client', async (method, path) => {
    const { expert } = service.office()
    expect((await service.asExpert(expert).as(undefined).request(method, path, bodyOf(method))).status).toBe(401)
    expect((await service.asExpert(testTechnical(service.issuer)).request(method, path, bodyOf(method))).status).toBe(403)
    expect((await service.asClient(service.client()).request(method, path, bodyOf(method))).status).toBe(404)
  })

  it.each(writes)('%s %s: administrators and experts with widgets.manage', async (method, path) => {
    const { administrator, expert, specialist, trainee } = service.office()
    const statusFor = async (person: typeof expert) => (await service.asExpert(person).request(method, path, bodyOf(method))).status
    for (const person of [administrator, expert]) expect([201, 404]).toContain(await statusFor(person))
    service.auth.rights.set(specialist.userId, ['widgets.manage'])
    service.auth.rights.set(expert.userId, [])
    for (const person of [specialist, trainee]) expect(await statusFor(person)).toBe(403)
    const another = service.office().expert
    service.auth.rights.set(another.userId, [])
    expect(await statusFor(another)).toBe(403)
  })

  it.each(reads)('%s %s: every employee', async (method, path) => {
    const { trainee } = service.office()
    expect([200, 404]).toContain((await service.asExpert(trainee).request(method, path)).status)
  })
})
