import { randomId, testTechnical } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const newTag = { Tag: { name: 'Urgent', color_background: 'ff0000', color_text: 'ffffff', issue: 1 } }
const done = { status: 'OK' }

describe('POST /rest/tag', () => {
  it('creates a tag of the caller', async () => {
    const { customerId, trainee } = cases.office()
    const http = cases.asExpert(trainee)
    const created = await http.post<{ id: number }>('/tag', newTag)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ id: expect.any(Number) })
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/tag/${created.body.id}`)
    const { body } = await http.get(`/tag/${created.body.id}`)
    expect(body).toEqual({
      Tag: {
        id: String(created.body.id),
        customer_id: String(customerId),
        user_id: String(trainee.userId),
        name: 'Urgent',
        color_background: 'ff0000',
        color_text: 'ffffff',
        issue: '1',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        modified: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    })
  })

  it('for a colleague', async () => {
    const { expert, trainee } = cases.office()
    const http = cases.asExpert(expert)
    const { body } = await http.post<{ id: number }>('/tag', { Tag: { name: 'Theirs', user_id: Number(trainee.userId) } })
    const tag = await http.get(`/tag/${body.id}`)
    expect(tag.body).toMatchObject({
      Tag: { user_id: String(trainee.userId), color_background: 'e0e0e0', color_text: '000000', issue: '0' },
    })
  })

  it('refuses a person of another office like one who does not exist', async () => {
    const { expert } = cases.office()
    const { expert: stranger } = cases.office()
    const http = cases.asExpert(expert)
    const foreign = await http.post('/tag', { Tag: { name: 'A', user_id: String(stranger.userId) } })
    const unknown = await http.post('/tag', { Tag: { name: 'A', user_id: String(randomId()) } })
    expect(foreign.status).toBe(400)
    expect(foreign.body).toEqual({ status: 'error', errorMessages: { user_id: 'does not exist' } })
    expect(unknown.text).toBe(foreign.text)
  })

  it('names all invalid fields', async () => {
    const { expert } = cases.office()
    const wrong = { name: ' ', color_background: '#ff0000', color_text: 5, issue: 2, user_id: 'x' }
    const { status, body } = await cases.asExpert(expert).post<{ errorMessages: object }>('/tag', { Tag: wrong })
    expect(status).toBe(400)
    expect(Object.keys(body.errorMessages).sort()).toEqual(Object.keys(wrong).sort())
    const unknown = await cases.asExpert(expert).post('/tag', { Tag: { name: ' ', user_id: String(randomId()) } })
    expect(unknown.body).toMatchObject({ errorMessages: { name: 'is required', user_id: 'does not exist' } })
  })
})

describe('GET /rest/tag', () => {
  it('lists the tags of the office, filtered and sorted', async () => {
    const { expert, specialist } = cases.office()
    const http = cases.asExpert(expert)
    for (const name of ['b', 'a', 'c']) await http.post('/tag', { Tag: { name, issue: name === 'c' ? 1 : 0 } })
    await cases.asExpert(cases.office().expert).post('/tag', newTag)
    const names = async (query: string) => (await http.get<{ Tag: { name: string } }[]>(`/tag${query}`)).body.map(({ Tag }) => Tag.name)
    expect(await names('')).toEqual(['b', 'a', 'c'])
    expect(await names('?sort=-name')).toEqual(['c', 'b', 'a'])
    expect(await names('?issue=1')).toEqual(['c'])
    expect(await names(`?user_id=${specialist.userId}`)).toEqual([])
    expect((await http.get('/tag?color_text=000000')).body).toMatchObject({ errorMessages: { color_text: expect.any(String) } })
  })
})

describe('PUT and DELETE /rest/tag/{id}', () => {
  it('change and delete', async () => {
    const { expert } = cases.office()
    const http = cases.asExpert(expert)
    const { body } = await http.post<{ id: number }>('/tag', newTag)
    const path = `/tag/${body.id}`
    const ignored = { customer_id: '1', id: '1' }
    expect((await http.put(path, { Tag: { name: 'Later', ...ignored } })).body).toEqual(done)
    const { body: changed, headers } = await http.get(path)
    expect(changed).toMatchObject({ Tag: { name: 'Later', color_text: 'ffffff', user_id: String(expert.userId) } })
    expect((await http.put(path, newTag, { 'if-match': '"1"' })).status).toBe(412)
    expect((await http.put(path, newTag, { 'if-match': headers.get('etag') ?? '' })).status).toBe(200)
    expect((await http.delete(path, { 'if-match': '"2"' })).status).toBe(412)
    expect((await http.delete(path)).body).toEqual(done)
    expect((await http.get(path)).status).toBe(404)
  })
})

describe('PUT /rest/tag/{id}', () => {
  it('assigns a tag to a colleague, but not to a person of another office', async () => {
    const { expert, trainee } = cases.office()
    const http = cases.asExpert(expert)
    const { body } = await http.post<{ id: number }>('/tag', newTag)
    const path = `/tag/${body.id}`
    expect((await http.put(path, { Tag: { user_id: Number(trainee.userId) } })).body).toEqual(done)
    for (const user_id of [cases.office().expert.userId, randomId()].map(String)) {
      const { status, body } = await http.put(path, { Tag: { user_id } })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { user_id: 'does not exist' } }])
    }
    expect((await http.get(path)).body).toMatchObject({ Tag: { name: 'Urgent', user_id: String(trainee.userId) } })
  })
})

describe('a tag of another office', () => {
  it.each(['GET', 'PUT', 'DELETE'])('gets the same 404 for %s as one that does not exist', async (method) => {
    const { body } = await cases.asExpert(cases.office().expert).post<{ id: number }>('/tag', newTag)
    const stranger = cases.asExpert(cases.office().administrator)
    const sent = method === 'PUT' ? newTag : undefined
    const foreign = await stranger.request(method, `/tag/${body.id}`, sent)
    const unknown = await stranger.request(method, `/tag/${randomId()}`, sent)
    const impossible = await stranger.request(method, '/tag/abc', sent)
    expect(foreign.status).toBe(404)
    expect([unknown.text, impossible.text]).toEqual([foreign.text, foreign.text])
    expect(await cases.database.rows('SELECT name FROM tags WHERE id = $1', [body.id])).toEqual([{ name: 'Urgent' }])
  })
})

describe('access by role', () => {
  const routes = [
    ['GET', '/tag'],
    ['POST', '/tag'],
    ['GET', '/tag/1'],
    ['PUT', '/tag/1'],
    ['DELETE', '/tag/1'],
  ] as const

  it.each(routes)('%s %s: refused without a token, for technical accounts and for clients', async (method, path) => {
    const office = cases.office()
    const sent = method === 'POST' || method === 'PUT' ? newTag : undefined
    const nobody = await cases.asExpert(office.expert).as(undefined).request(method, path, sent)
    expect(nobody.status).toBe(401)
    expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect((await cases.asExpert(testTechnical(cases.issuer)).request(method, path, sent)).status).toBe(403)
    expect((await cases.asExpert(cases.client(office)).request(method, path, sent)).status).toBe(401)
    expect((await cases.asClient(cases.client(office)).request(method, path, sent)).status).toBe(404)
  })
})
