import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const done = { status: 'OK' }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

const supplier = {
  name: 'Supplier',
  tax_number: '5260250274',
  email: 'office@supplier.example',
  phone: '123',
  address: 'Prosta 1\nWarszawa',
}
const card = { first_name: 'Jan', last_name: 'Kowalski', email: 'jan@client.example', phone: '5', company_name: 'Kowalski' }

/**
 * For each resource: the fields of a new record, its other fields as they are shown, the required ones, and the error of a deletion while a case refers to
 * it.
 */
const resources = [
  { wrapper: 'Provider', path: '/provider', fields: supplier, rest: { active: '1' }, required: ['name'], inUse: 'PROVIDER_IN_USE' },
  {
    wrapper: 'IssueInitiator',
    path: '/issue_initiator',
    fields: card,
    rest: { user_client_id: null },
    required: ['first_name', 'last_name'],
    inUse: 'ISSUE_INITIATOR_IN_USE',
  },
] as const

describe.each(resources)('$path', ({ wrapper, path, fields, rest, required, inUse }) => {
  it('is created, shown, listed, changed and deleted', async () => {
    const { customerId, expert } = cases.office()
    const http = cases.asExpert(expert)
    const created = await http.post<{ id: number }>(path, { [wrapper]: fields })
    const { id } = created.body
    expect({ status: created.status, body: created.body }).toEqual({ status: 201, body: { id: expect.any(Number) } })
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest${path}/${id}`)
    const record = { ...fields, ...rest, id: String(id), customer_id: String(customerId), created: time, modified: time }
    const { body, headers } = await http.get(`${path}/${id}`)
    expect(body).toEqual({ [wrapper]: record })
    expect((await http.get(path)).body).toEqual([body])
    expect((await http.put(`${path}/${id}`, { [wrapper]: { phone: null, customer_id: 1 } })).body).toEqual(done)
    expect((await http.get(`${path}/${id}`)).body).toEqual({ [wrapper]: { ...record, phone: null } })
    expect((await http.delete(`${path}/${id}`, { 'if-match': headers.get('etag') ?? '' })).status).toBe(412)
    expect((await http.delete(`${path}/${id}`)).body).toEqual(done)
    expect((await http.get(`${path}/${id}`)).status).toBe(404)
  })

  it('names all invalid fields', async () => {
    const http = cases.asExpert(cases.office().expert)
    const missing = Object.fromEntries(required.map((field) => [field, 'is required']))
    const wrong = { email: 'x', phone: '\n' }
    const { status, body } = await http.post<{ errorMessages: object }>(path, { [wrapper]: wrong })
    expect({ status, fields: Object.keys(body.errorMessages).sort() }).toEqual({
      status: 400,
      fields: [...required, 'email', 'phone'].sort(),
    })
    expect(body.errorMessages).toMatchObject(missing)
  })

  it('answers for another office like for an unknown id', async () => {
    const http = cases.asExpert(cases.office().expert)
    const { id } = (await http.post<{ id: number }>(path, { [wrapper]: fields })).body
    const stranger = cases.asExpert(cases.office().administrator)
    for (const [method, sent] of [['GET'], ['PUT', { [wrapper]: {} }], ['DELETE']] as const) {
      const [foreign, unknown] = [
        await stranger.request(method, `${path}/${id}`, sent),
        await stranger.request(method, `${path}/abc`, sent),
      ]
      expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: unknown.text })
    }
    expect((await stranger.get(path)).body).toEqual([])
  })

  it('cannot be deleted while a case or a person of a provider refers to it', async () => {
    const http = cases.asExpert(cases.office().expert)
    const { id } = (await http.post<{ id: number }>(path, { [wrapper]: fields })).body
    const field = `${path.slice(1)}_id`
    const remove = () => http.delete(`${path}/${id}`)
    const issue = await openIssue(http, { [field]: id })
    expect((await http.get(`/issue/${issue}`)).body).toMatchObject({ Issue: { [field]: String(id) } })
    expect(await remove()).toMatchObject({ status: 409, body: { errorCode: inUse } })
    await openIssue(http)
    expect((await http.get(`/issue?${field}=${id}`)).body).toMatchObject([{ Issue: { id: String(issue) } }])
    await http.delete(`/issue/${issue}`)
    const provider = (await http.post<{ id: number }>('/provider', { Provider: { name: 'B' } })).body.id
    const person = { provider_id: provider, first_name: 'A', last_name: 'B', email: 'a@b.example', [field]: id }
    const { body } = await http.post<{ ProviderPerson: { id: string } }>('/provider_person', { ProviderPerson: person })
    expect(await remove()).toMatchObject({ status: 409, body: { errorCode: inUse } })
    await http.delete(`/provider_person/${body.ProviderPerson.id}`)
    expect((await remove()).status).toBe(200)
  })
})

describe('/rest/provider', () => {
  it('filters by active', async () => {
    const http = cases.asExpert(cases.office().administrator)
    for (const [name, active] of [
      ['B', 1],
      ['A', 1],
      ['C', 0],
    ] as const)
      await http.post('/provider', { Provider: { name, active } })
    const { body } = await http.get<{ Provider: { name: string } }[]>('/provider?active=1&sort=name')
    expect(body.map(({ Provider }) => Provider.name)).toEqual(['A', 'B'])
  })

  it('is readable for every employee, and writable for administrators and experts', async () => {
    const { specialist, trainee } = cases.office()
    for (const person of [specialist, trainee]) {
      const http = cases.asExpert(person)
      expect((await http.get('/provider')).status).toBe(200)
      expect((await http.post('/provider', { Provider: supplier })).status).toBe(403)
      expect((await http.put('/provider/1', { Provider: supplier })).status).toBe(403)
      expect((await http.delete('/provider/1')).status).toBe(403)
    }
  })
})

describe('/rest/issue_initiator', () => {
  it('may be the card of a client of the office only', async () => {
    const [office, another] = [cases.office(), cases.office()]
    const [client, stranger] = [cases.client(office), cases.client(another)]
    const http = cases.asExpert(office.trainee)
    const create = (id: unknown) => http.post<{ id: number }>('/issue_initiator', { IssueInitiator: { ...card, user_client_id: id } })
    const { body } = await create(String(client.userId))
    await create(null)
    const [foreign, unknown] = [await create(String(stranger.userId)), await create(String(randomId()))]
    expect(foreign).toMatchObject({ status: 400, body: { errorMessages: { user_client_id: 'does not exist' } } })
    expect(unknown.text).toBe(foreign.text)
    const changed = await http.put(`/issue_initiator/${body.id}`, { IssueInitiator: { user_client_id: String(stranger.userId) } })
    expect(changed).toMatchObject({ status: 400, text: foreign.text })
    expect((await http.get(`/issue_initiator?user_client_id=${client.userId}`)).body).toMatchObject([
      { IssueInitiator: { id: String(body.id) } },
    ])
    expect((await http.get('/issue_initiator?email=jan@client.example')).body).toHaveLength(2)
  })
})
