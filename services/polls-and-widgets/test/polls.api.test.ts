import { expertUrl, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

const newPoll = { Poll: { title: 'First', text: 'One line\nand another' } }
const done = { status: 'OK' }

describe('POST /rest/poll', () => {
  it('creates a record of the caller', async () => {
    const { customerId, trainee } = service.office()
    const http = service.asExpert(trainee)
    const created = await http.post<{ id: number }>('/poll', newPoll)
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/poll/${created.body.id}`)
    const { body } = await http.get(`/poll/${created.body.id}`)
    expect(body).toEqual({
      Poll: {
        id: String(created.body.id),
        customer_id: String(customerId),
        user_id: String(trainee.userId),
        ...newPoll.Poll,
        created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        modified: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    })
  })

  it('names every wrong field', async () => {
    const wrong = { title: ' ', text: 5 }
    const { status, body } = await service.asExpert(service.office().expert).post('/poll', { Poll: wrong })
    expect(status).toBe(400)
    expect(body).toEqual({ status: 'error', errorMessages: { title: expect.any(String), text: expect.any(String) } })
  })
})

describe('GET /rest/poll', () => {
  it('lists the records of the office, filtered and sorted', async () => {
    const { expert, specialist } = service.office()
    const http = service.asExpert(expert)
    for (const title of ['b', 'a', 'c']) await http.post('/poll', { Poll: { title } })
    await service.asExpert(service.office().expert).post('/poll', newPoll)
    const titles = async (query: string) =>
      (await http.get<{ Poll: { title: string } }[]>(`/poll${query}`)).body.map(({ Poll }) => Poll.title)
    expect(await titles('')).toEqual(['b', 'a', 'c'])
    expect(await titles('?sort=-title')).toEqual(['c', 'b', 'a'])
    expect(await titles(`?user_id=${specialist.userId}`)).toEqual([])
    expect((await http.get('/poll?text=x')).status).toBe(400)
  })
})

describe('PUT and DELETE /rest/poll/{id}', () => {
  it('change and remove', async () => {
    const http = service.asExpert(service.office().expert)
    const { body } = await http.post<{ id: number }>('/poll', newPoll)
    const path = `/poll/${body.id}`
    expect((await http.put(path, { Poll: { title: 'Second', user_id: '1', customer_id: '1' } })).body).toEqual(done)
    expect((await http.get(path)).body).toMatchObject({ Poll: { ...newPoll.Poll, title: 'Second' } })
    expect((await http.delete(path)).body).toEqual(done)
    expect((await http.get(path)).status).toBe(404)
  })

  it('of another office are the same 404 as of a record that does not exist', async () => {
    const { body } = await service.asExpert(service.office().expert).post<{ id: number }>('/poll', newPoll)
    const stranger = service.asExpert(service.office().administrator)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const sent = method === 'PUT' ? newPoll : undefined
      const foreign = await stranger.request(method, `/poll/${body.id}`, sent)
      const unknown = await stranger.request(method, '/poll/999999999', sent)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
    expect(await service.database.rows('SELECT title FROM polls WHERE id = $1', [body.id])).toEqual([{ title: 'First' }])
  })
})

describe('who may', () => {
  const routes = [
    ['GET', '/poll'],
    ['POST', '/poll'],
    ['GET', '/poll/1'],
    ['PUT', '/poll/1'],
    ['DELETE', '/poll/1'],
  ] as const

  it.each(routes)('%s %s: nobody without a token, no technical account, no client', async (method, path) => {
    const sent = method === 'POST' || method === 'PUT' ? newPoll : undefined
    const { expert } = service.office()
    expect((await service.asExpert(expert).as(undefined).request(method, path, sent)).status).toBe(401)
    expect((await service.asExpert(testTechnical(service.issuer)).request(method, path, sent)).status).toBe(403)
    expect((await service.asClient(service.client()).request(method, path, sent)).status).toBe(404)
  })

  it.each([
    ['PUT', '/poll', 'GET, HEAD, POST'],
    ['POST', '/poll/1', 'GET, HEAD, PUT, DELETE'],
  ])('%s %s is 405 for everybody', async (method, path, allow) => {
    const { status, headers } = await service.asExpert(service.office().administrator).request(method, path, newPoll)
    expect([status, headers.get('allow')]).toEqual([405, allow])
  })
})
