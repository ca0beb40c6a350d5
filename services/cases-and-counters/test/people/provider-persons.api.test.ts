import { type HttpClient, having, invalidFields, randomId, versionOf } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const done = { status: 'OK' }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const anna = { first_name: 'Anna', last_name: 'Nowak', email: 'Anna@supplier.example', phone: '123', description: 'Invoices' }

interface Created {
  ProviderPerson: { id: string }
}

const newProvider = async (http: HttpClient, name = 'Supplier'): Promise<number> =>
  (await http.post<{ id: number }>('/provider', { Provider: { name } })).body.id

const newPerson = (http: HttpClient, fields: object) => http.post<Created>('/provider_person', { ProviderPerson: { ...anna, ...fields } })

async function officeWithProvider() {
  const office = cases.office()
  const http = cases.asExpert(office.expert)
  return { office, http, provider: await newProvider(http) }
}

describe('POST /rest/provider_person', () => {
  it('answers with the whole record', async () => {
    const { office, provider } = await officeWithProvider()
    const http = cases.asExpert(office.trainee)
    const { status, body, headers } = await newPerson(http, { provider_id: provider })
    const ids = { id: expect.stringMatching(/^\d+$/), customer_id: String(office.customerId), provider_id: String(provider) }
    expect({ status, body }).toEqual({
      status: 201,
      body: { ProviderPerson: { ...anna, ...ids, issue_initiator_id: null, created: time, modified: time } },
    })
    const path = `/provider_person/${body.ProviderPerson.id}`
    expect(headers.get('location')).toBe(`${expertUrl}/rest${path}`)
    const shown = { ...body, Provider: { name: 'Supplier' } }
    expect((await http.get(path)).body).toEqual(shown)
    expect((await http.get('/provider_person')).body).toEqual([shown])
  })

  it('shows the present name of the provider to a client with a cached record', async () => {
    const { http, provider } = await officeWithProvider()
    const path = `/provider_person/${(await newPerson(http, { provider_id: provider })).body.ProviderPerson.id}`
    const before = await http.get(path)
    await http.put(`/provider/${provider}`, { Provider: { name: 'Renamed' } })
    const after = await http.get(path, having(before))
    expect(after).toMatchObject({ status: 200, body: { Provider: { name: 'Renamed' } } })
    expect(versionOf(after)).toBe(versionOf(before))
    expect((await http.get(path, having(after))).status).toBe(304)
    expect((await http.put(path, { ProviderPerson: {} }, { 'if-match': before.headers.get('etag') ?? '' })).status).toBe(200)
  })

  it('answers the same to a repeated key', async () => {
    const { http, provider } = await officeWithProvider()
    const create = () => http.post('/provider_person', { ProviderPerson: { ...anna, provider_id: provider } }, { 'idempotency-key': 'one' })
    const [first, second] = [await create(), await create()]
    expect(first.status).toBe(201)
    expect(second).toMatchObject({ status: 201, text: first.text })
  })

  it('requires names and an address, and names all invalid fields', async () => {
    const { http, provider } = await officeWithProvider()
    const nothing = { first_name: 'is required', last_name: 'is required', email: 'is required', provider_id: 'does not exist' }
    expect(await http.post('/provider_person', { ProviderPerson: {} })).toMatchObject(invalidFields(nothing))
    const blank = { first_name: '  ', last_name: '\u00a0', email: '', provider_id: provider }
    const { provider_id: _, ...required } = nothing
    const refused = await http.post('/provider_person', { ProviderPerson: blank })
    expect({ status: refused.status, body: refused.body }).toEqual(invalidFields(required))
    expect(await newPerson(http, { provider_id: provider, email: 'anna' })).toMatchObject(
      invalidFields({ email: 'must be a valid e-mail address' }),
    )
  })

  it('refuses a provider that is missing, unknown or of another office with one text', async () => {
    const { http } = await officeWithProvider()
    const { provider: foreign } = await officeWithProvider()
    const answers = [await newPerson(http, {}), await newPerson(http, { provider_id: null })]
    for (const provider_id of [randomId().toString(), foreign]) answers.push(await newPerson(http, { provider_id }))
    for (const { status, body } of answers) expect({ status, body }).toEqual(invalidFields({ provider_id: 'does not exist' }))
    const both = await newPerson(http, { provider_id: foreign, issue_initiator_id: '1' })
    expect(both).toMatchObject(invalidFields({ provider_id: 'does not exist', issue_initiator_id: 'does not exist' }))
  })
})

it('all invalid fields are named in one answer, whatever is wrong with them', async () => {
  const { http, provider } = await officeWithProvider()
  const { body } = await newPerson(http, { provider_id: provider })
  const other = await newPerson(http, { provider_id: provider, email: 'other@supplier.example' })
  const sent = { first_name: ' ', provider_id: randomId().toString(), email: 'ANNA@supplier.example' }
  const wrong = { first_name: 'is required', provider_id: 'does not exist', email: 'is already used' }
  expect(await newPerson(http, sent)).toMatchObject(invalidFields(wrong))
  const put = async (id: string, fields: object) => {
    const { status, body } = await http.put(`/provider_person/${id}`, { ProviderPerson: fields })
    return { status, body }
  }
  expect(await put(other.body.ProviderPerson.id, sent)).toEqual(invalidFields(wrong))
  const { first_name: _, ...unread } = wrong
  expect(await newPerson(http, { ...sent, first_name: 'Anna' })).toMatchObject(invalidFields(unread))
  // The person's own address is not taken.
  expect(await put(body.ProviderPerson.id, { ...sent, provider_id: provider })).toEqual(invalidFields({ first_name: 'is required' }))
})

describe('the address of a person', () => {
  const used = invalidFields({ email: 'is already used' })

  it('is used once in an office, ignoring case', async () => {
    const { http, provider } = await officeWithProvider()
    await newPerson(http, { provider_id: provider })
    const another = await newProvider(http)
    expect(await newPerson(http, { provider_id: another, email: 'aNNA@SUPPLIER.example' })).toMatchObject(used)
    const { body } = await newPerson(http, { provider_id: another, email: 'other@supplier.example' })
    const path = `/provider_person/${body.ProviderPerson.id}`
    expect(await http.put(path, { ProviderPerson: { email: 'anna@supplier.example' } })).toMatchObject(used)
    expect((await http.put(path, { ProviderPerson: { email: 'OTHER@supplier.example' } })).status).toBe(200)
  })

  it('is free in another office, and after its person is deleted', async () => {
    const [here, elsewhere] = [await officeWithProvider(), await officeWithProvider()]
    const { body } = await newPerson(here.http, { provider_id: here.provider })
    expect((await newPerson(elsewhere.http, { provider_id: elsewhere.provider })).status).toBe(201)
    await here.http.delete(`/provider_person/${body.ProviderPerson.id}`)
    expect((await newPerson(here.http, { provider_id: here.provider })).status).toBe(201)
  })
})

describe('PUT and DELETE /rest/provider_person/{id}', () => {
  it('change what is sent, and delete', async () => {
    const { http, provider } = await officeWithProvider()
    const { body: created } = await newPerson(http, { provider_id: provider })
    const path = `/provider_person/${created.ProviderPerson.id}`
    const another = await newProvider(http, 'Another')
    expect((await http.put(path, { ProviderPerson: { provider_id: another, last_name: 'Kowalska' } })).body).toEqual(done)
    const { body, headers } = await http.get(path)
    expect(body).toMatchObject({ ProviderPerson: { first_name: 'Anna', last_name: 'Kowalska' }, Provider: { name: 'Another' } })
    for (const [field, value, text] of [
      ['provider_id', String(randomId()), 'does not exist'],
      ['provider_id', null, 'does not exist'],
      ['issue_initiator_id', String(randomId()), 'does not exist'],
      ['first_name', ' ', 'is required'],
      ['email', 'x', 'must be a valid e-mail address'],
    ] as const) {
      expect(await http.put(path, { ProviderPerson: { [field]: value } })).toMatchObject(invalidFields({ [field]: text }))
    }
    expect((await http.delete(path, { 'if-match': '"1"' })).status).toBe(412)
    expect((await http.delete(path, { 'if-match': headers.get('etag') ?? '' })).body).toEqual(done)
    expect((await http.get(path)).status).toBe(404)
  })

  it('get 404 for a person of another office', async () => {
    const { http, provider } = await officeWithProvider()
    const { body } = await newPerson(http, { provider_id: provider })
    const stranger = cases.asExpert(cases.office().administrator)
    for (const [method, sent] of [['GET'], ['PUT', { ProviderPerson: { email: anna.email } }], ['DELETE']] as const) {
      const foreign = await stranger.request(method, `/provider_person/${body.ProviderPerson.id}`, sent)
      const unknown = await stranger.request(method, '/provider_person/abc', sent)
      expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: unknown.text })
    }
    expect((await stranger.get('/provider_person')).body).toEqual([])
  })
})

describe('GET /rest/provider_person', () => {
  it('lists, filtered by provider and sorted by name', async () => {
    const { http, provider } = await officeWithProvider()
    const another = await newProvider(http, 'Another')
    await newPerson(http, { provider_id: provider, last_name: 'B', email: 'b@supplier.example' })
    await newPerson(http, { provider_id: another, last_name: 'A', email: 'a@supplier.example' })
    const seen = async (query: string) =>
      (await http.get<{ ProviderPerson: { last_name: string }; Provider: { name: string } }[]>(`/provider_person${query}`)).body.map(
        ({ ProviderPerson, Provider }) => `${ProviderPerson.last_name} of ${Provider.name}`,
      )
    expect(await seen('?sort=last_name')).toEqual(['A of Another', 'B of Supplier'])
    expect(await seen(`?provider_id=${provider}`)).toEqual(['B of Supplier'])
  })

  it('is for employees only', async () => {
    const office = cases.office()
    expect((await cases.asExpert(office.trainee).get('/provider_person')).status).toBe(200)
    expect((await cases.asExpert(office.trainee).as(undefined).get('/provider_person')).status).toBe(401)
    expect((await cases.asClient(cases.client(office)).get('/provider_person')).status).toBe(404)
  })
})
