import { expertUrl, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

const newChatWidget = { ChatWidget: { title: 'First', text: 'One line\nand another' } }
const done = { status: 'OK' }

describe('POST /rest/chat_widget', () => {
  it('creates a record of the caller', async () => {
    const { customerId, trainee } = service.office()
    const http = service.asExpert(trainee)
    const created = await http.post<{ id: number }>('/chat_widget', newChatWidget)
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/chat_widget/${created.body.id}`)
    const { body } = await http.get(`/chat_widget/${created.body.id}`)
    expect(body).toEqual({
      ChatWidget: {
        id: String(created.body.id),
        customer_id: String(customerId),
        user_id: String(trainee.userId),
        ...newChatWidget.ChatWidget,
        created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        modified: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    })
  })

  it('names every wrong field', async () => {
    const wrong = { title: ' ', text: 5 }
    const { status, body } = await service.asExpert(service.office().expert).post('/chat_widget', { ChatWidget: wrong })
    expect(status).toBe(400)
    expect(body).toEqual({ status: 'error', errorMessages: { title: expect.any(String), text: expect.any(String) } })
  })
})

describe('GET /rest/chat_widget', () => {
  it('lists the records of the office, filtered and sorted', async () => {
    const { expert, specialist } = service.office()
    const http = service.asExpert(expert)
    for (const title of ['b', 'a', 'c']) await http.post('/chat_widget', { ChatWidget: { title } })
    await service.asExpert(service.office().expert).post('/chat_widget', newChatWidget)
    const titles = async (query: string) =>
      (await http.get<{ ChatWidget: { title: string } }[]>(`/chat_widget${query}`)).body.map(({ ChatWidget }) => ChatWidget.title)
    expect(await titles('')).toEqual(['b', 'a', 'c'])
    expect(await titles('?sort=-title')).toEqual(['c', 'b', 'a'])
    expect(await titles(`?user_id=${specialist.userId}`)).toEqual([])
    expect((await http.get('/chat_widget?text=x')).status).toBe(400)
  })
})

describe('PUT and DELETE /rest/chat_widget/{id}', () => {
  it('change and remove', async () => {
    const http = service.asExpert(service.office().expert)
    const { body } = await http.post<{ id: number }>('/chat_widget', newChatWidget)
    const path = `/chat_widget/${body.id}`
    expect((await http.put(path, { ChatWidget: { title: 'Second', user_id: '1', customer_id: '1' } })).body).toEqual(done)
    expect((await http.get(path)).body).toMatchObject({ ChatWidget: { ...newChatWidget.ChatWidget, title: 'Second' } })
    expect((await http.delete(path)).body).toEqual(done)
    expect((await http.get(path)).status).toBe(404)
  })

  it('of another office are the same 404 as of a record that does not exist', async () => {
    const { body } = await service.asExpert(service.office().expert).post<{ id: number }>('/chat_widget', newChatWidget)
    const stranger = service.asExpert(service.office().administrator)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const sent = method === 'PUT' ? newChatWidget : undefined
      const foreign = await stranger.request(method, `/chat_widget/${body.id}`, sent)
      const unknown = await stranger.request(method, '/chat_widget/999999999', sent)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
    expect(await service.database.rows('SELECT title FROM chat_widgets WHERE id = $1', [body.id])).toEqual([{ title: 'First' }])
  })
})

describe('who may', () => {
  const routes = [
    ['GET', '/chat_widget'],
    ['POST', '/chat_widget'],
    ['GET', '/chat_widget/1'],
    ['PUT', '/chat_widget/1'],
    ['DELETE', '/chat_widget/1'],
  ] as const

  it.each(routes)('%s %s: nobody without a token, no technical account, no client', async (method, path) => {
    const sent = method === 'POST' || method === 'PUT' ? newChatWidget : undefined
    const { expert } = service.office()
    expect((await service.asExpert(expert).as(undefined).request(method, path, sent)).status).toBe(401)
    expect((await service.asExpert(testTechnical(service.issuer)).request(method, path, sent)).status).toBe(403)
    expect((await service.asClient(service.client()).request(method, path, sent)).status).toBe(404)
  })

  it.each([
    ['PUT', '/chat_widget', 'GET, HEAD, POST'],
    ['POST', '/chat_widget/1', 'GET, HEAD, PUT, DELETE'],
  ])('%s %s is 405 for everybody', async (method, path, allow) => {
    const { status, headers } = await service.asExpert(service.office().administrator).request(method, path, newChatWidget)
    expect([status, headers.get('allow')]).toEqual([405, allow])
  })
})
