import { expertUrl, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { blocks, newPoll, publishPoll } from './support/polls.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

interface Shown {
  readonly Poll: { readonly name: string; readonly version: string; readonly published_version: string | null }
}

const done = { status: 'OK' }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const newWidget = { ChatWidget: { url: 'https://shop.example' } }
const expert = () => service.asExpert(service.office().expert)

describe('POST /rest/poll', () => {
  it('creates a poll of the office', async () => {
    const { customerId, expert } = service.office()
    const http = service.asExpert(expert)
    const widget = await http.post<{ id: number }>('/chat_widget', newWidget)
    const sent = { ...newPoll.Poll, chat_widget_id: widget.body.id, closes_at: '2100-01-01 12:00:00' }
    const created = await http.post<{ id: number }>('/poll', { Poll: sent })
    expect([created.status, created.headers.get('location')]).toEqual([201, `${expertUrl}/rest/poll/${created.body.id}`])
    expect((await http.get(`/poll/${created.body.id}`)).body).toEqual({
      Poll: {
        ...{ id: String(created.body.id), customer_id: String(customerId), ...sent, chat_widget_id: String(widget.body.id) },
        ...{ version: '1', published_version: null, published_at: null, created: time, modified: time },
      },
    })
  })

  it('accepts blocks as JSON in a string as well', async () => {
    const http = expert()
    const { body } = await http.post<{ id: number }>('/poll', { Poll: { ...newPoll.Poll, blocks: JSON.stringify(blocks, null, 2) } })
    expect((await http.get(`/poll/${body.id}`)).body).toMatchObject({ Poll: { blocks } })
  })

  it('names every wrong field', async () => {
    const http = expert()
    const wrong = { name: ' ', blocks: '[{}]', closes_at: 'soon', chat_widget_id: 'x' }
    const text = expect.any(String)
    const errorMessages = {
      name: text,
      closes_at: text,
      chat_widget_id: text,
      blocks: expect.stringMatching(/^must be blocks of a poll; 0: must be/),
    }
    expect((await http.post('/poll', { Poll: wrong })).body).toEqual({ status: 'error', errorMessages })
    const unknown = await http.post('/poll', { Poll: { ...wrong, chat_widget_id: 999_999_999 } })
    expect(unknown.body).toEqual({ status: 'error', errorMessages: { ...errorMessages, chat_widget_id: 'does not exist' } })
  })

  it('refuses a widget of another office as one that does not exist', async () => {
    const foreign = await expert().post<{ id: number }>('/chat_widget', newWidget)
    for (const chat_widget_id of [foreign.body.id, 999_999_999]) {
      const { status, body } = await expert().post('/poll', { Poll: { ...newPoll.Poll, chat_widget_id } })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { chat_widget_id: 'does not exist' } }])
    }
  })
})

describe('GET /rest/poll', () => {
  it('lists the polls of the office, filtered and sorted', async () => {
    const http = expert()
    for (const name of ['b', 'a', 'c']) await http.post('/poll', { Poll: { ...newPoll.Poll, name } })
    await expert().post('/poll', newPoll)
    const names = async (query: string) => (await http.get<Shown[]>(`/poll${query}`)).body.map(({ Poll }) => Poll.name)
    expect(await names('')).toEqual(['b', 'a', 'c'])
    expect(await names('?sort=-name')).toEqual(['c', 'b', 'a'])
    expect(await names('?chat_widget_id=')).toEqual(['b', 'a', 'c'])
    expect(await names('?chat_widget_id=1')).toEqual([])
  })
})

describe('POST /rest/poll/{id}/publish', () => {
  it('creates a version that later changes do not affect', async () => {
    const http = expert()
    const id = await publishPoll(http, { name: 'Before' })
    expect((await http.get<Shown>(`/poll/${id}`)).body.Poll).toMatchObject({ version: '2', published_version: '2', published_at: time })
    await http.put(`/poll/${id}`, { Poll: { name: 'After' } })
    expect((await http.get<Shown>(`/poll/${id}`)).body.Poll).toMatchObject({ version: '3', published_version: '2' })
    const published = await http.post(`/poll/${id}/publish`)
    expect([published.status, published.body]).toEqual([200, { status: 'OK', version: 4 }])
    const versions = await service.database.rows('SELECT version, name FROM poll_versions WHERE poll_id = $1 ORDER BY version', [id])
    expect(versions).toEqual([
      { version: 2, name: 'Before' },
      { version: 4, name: 'After' },
    ])
  })

  it('is 409 after the poll has closed, and 412 for another version', async () => {
    const http = expert()
    const closed = await http.post<{ id: number }>('/poll', { Poll: { ...newPoll.Poll, closes_at: '2026-01-01 00:00:00' } })
    const { status, body } = await http.post(`/poll/${closed.body.id}/publish`)
    expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'POLL_CLOSED' })])
    const open = await http.post<{ id: number }>('/poll', newPoll)
    expect((await http.post(`/poll/${open.body.id}/publish`, undefined, { 'if-match': '"2"' })).status).toBe(412)
    expect((await http.post(`/poll/${open.body.id}/publish`, undefined, { 'if-match': '"1"' })).status).toBe(200)
  })
})

describe('PUT and DELETE /rest/poll/{id}', () => {
  it('accept a poll as it was read, whose widget has been deleted since', async () => {
    const http = expert()
    const { body: widget } = await http.post<{ id: number }>('/chat_widget', newWidget)
    const { body } = await http.post<{ id: number }>('/poll', { Poll: { ...newPoll.Poll, chat_widget_id: widget.id } })
    await http.delete(`/chat_widget/${widget.id}`)
    const { body: read } = await http.get<Shown>(`/poll/${body.id}`)
    expect((await http.put(`/poll/${body.id}`, read)).body).toEqual(done)
    expect((await http.put(`/poll/${body.id}`, { Poll: { ...read.Poll, name: '' } })).body).toEqual({
      ...{ status: 'error', errorMessages: { name: expect.any(String) } },
    })
    const another = await http.post<{ id: number }>('/poll', newPoll)
    expect((await http.put(`/poll/${another.body.id}`, { Poll: { chat_widget_id: widget.id } })).status).toBe(400)
  })

  it('leave a published poll that is sent back as it was read unchanged', async () => {
    const http = expert()
    const id = await publishPoll(http, { closes_at: '2100-01-01T12:00:00.500Z' })
    const read = await http.get<Shown>(`/poll/${id}`)
    expect((await http.put(`/poll/${id}`, read.body)).body).toEqual(done)
    expect((await http.get(`/poll/${id}`)).text).toBe(read.text)
    expect((await http.put(`/poll/${id}`, { Poll: { name: 'Another' } }, { 'if-match': read.headers.get('etag') ?? '' })).status).toBe(200)
  })

  it('change and delete the poll', async () => {
    const http = expert()
    const id = await publishPoll(http)
    expect((await http.put(`/poll/${id}`, { Poll: { name: 'Second', published_version: '9', customer_id: '1' } })).body).toEqual(done)
    expect((await http.get(`/poll/${id}`)).body).toMatchObject({ Poll: { ...newPoll.Poll, name: 'Second', published_version: '2' } })
    expect((await http.delete(`/poll/${id}`)).body).toEqual(done)
    expect((await http.get(`/poll/${id}`)).status).toBe(404)
  })
})

describe('who may', () => {
  const routes = [
    ['GET', '/poll'],
    ['POST', '/poll'],
    ['GET', '/poll/ID'],
    ['PUT', '/poll/ID'],
    ['POST', '/poll/ID/publish'],
    ['DELETE', '/poll/ID'],
  ] as const
  const bodyOf = (method: string, path: string) =>
    method === 'PUT' || (method === 'POST' && !path.endsWith('publish')) ? newPoll : undefined

  it.each(routes)('%s %s: nobody without a token, no technical account, no client', async (method, route) => {
    const path = route.replace('ID', '1')
    const { expert } = service.office()
    expect((await service.asExpert(expert).as(undefined).request(method, path, bodyOf(method, path))).status).toBe(401)
    expect((await service.asExpert(testTechnical(service.issuer)).request(method, path, bodyOf(method, path))).status).toBe(403)
    expect((await service.asClient(service.client()).request(method, path, bodyOf(method, path))).status).toBe(404)
  })

  it.each(routes)('%s %s of another office is the same 404 as of a poll that does not exist', async (method, route) => {
    if (!route.includes('ID')) return
    const { body } = await expert().post<{ id: number }>('/poll', newPoll)
    const stranger = service.asExpert(service.office().administrator)
    const [foreign, unknown] = await Promise.all(
      [body.id, 999_999_999].map((id) => stranger.request(method, route.replace('ID', `${id}`), bodyOf(method, route))),
    )
    expect([foreign?.status, foreign?.text]).toEqual([404, unknown?.text])
  })

  it.each(routes)('%s %s: reads for every employee, writes for administrators and experts with the right', async (method, route) => {
    const office = service.office()
    service.auth.rights.set(office.trainee.userId, ['widgets.manage'])
    const withoutRight = office.employee('expert')
    const { body } = await service.asExpert(office.expert).post<{ id: number }>('/poll', newPoll)
    const statusOf = async (person: typeof withoutRight) =>
      (await service.asExpert(person).request(method, route.replace('ID', `${body.id}`), bodyOf(method, route))).status
    const expected = method === 'GET' ? 200 : 403
    for (const person of [office.trainee, office.specialist, withoutRight]) expect(await statusOf(person)).toBe(expected)
    expect(await statusOf(office.administrator)).toBeLessThan(300)
  })
})
