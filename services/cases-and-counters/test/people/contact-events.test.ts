import { contactTopic } from '@caseway/protos/topics'
import { type GrpcClient, grpcClient, type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
let snapshot: GrpcClient
beforeAll(async () => {
  cases = await startCases()
  snapshot = grpcClient(cases.service.grpcAddress, 'caseway.cases_and_counters.v1.SnapshotService')
})
afterAll(async () => {
  snapshot.close()
  await cases.stop()
})

const providerOf = async (http: HttpClient) => (await http.post<{ id: number }>('/provider', { Provider: { name: 'Supplier' } })).body.id
const personOf = async (http: HttpClient, provider: number, fields: object = {}) => {
  const person = { first_name: 'Ann', last_name: 'Nowak', email: 'Ann@supplier.example', provider_id: provider, ...fields }
  const { body } = await http.post<{ ProviderPerson: { id: string } }>('/provider_person', { ProviderPerson: person })
  return body.ProviderPerson.id
}
const eventsOf = async ({ customerId }: TestTenant) =>
  (await cases.published(contactTopic)).map(({ event }) => event).filter((event) => event.customerId === customerId)

it('each change of a person is published with the whole state, but no refused change, and none without effect', async () => {
  const office = cases.office()
  const http = cases.asExpert(office.expert)
  const provider = await providerOf(http)
  const id = await personOf(http, provider)
  expect((await http.put(`/provider_person/${id}`, { ProviderPerson: {} })).status).toBe(200)
  await http.put(`/provider_person/${id}`, { ProviderPerson: { email: 'new@supplier.example' } })
  expect((await http.put(`/provider_person/${id}`, { ProviderPerson: { provider_id: String(randomId()) } })).status).toBe(400)
  expect((await http.post('/provider_person', { ProviderPerson: { email: 'new@supplier.example' } })).status).toBe(400)
  await http.delete(`/provider_person/${id}`)
  const whole = { customerId: office.customerId, kind: 1, id: BigInt(id), deleted: false }
  const names = { firstName: 'Ann', lastName: 'Nowak', providerId: BigInt(provider) }
  expect(await eventsOf(office)).toEqual([
    { ...whole, ...names, email: 'Ann@supplier.example', revision: 1n },
    { ...whole, ...names, email: 'new@supplier.example', revision: 2n },
    { ...whole, firstName: '', lastName: '', providerId: 0n, email: '', deleted: true, revision: 3n },
  ])
})

it('the snapshot contains the persons of all offices as in their last events, in pages', async () => {
  interface Page {
    contacts: { id: string; customer_id: string; email: string; revision: string; kind: string }[]
  }
  const [here, there] = [cases.office(), cases.office()]
  const [http, other] = [cases.asExpert(here.expert), cases.asExpert(there.expert)]
  const [provider, another] = [await providerOf(http), await providerOf(other)]
  const ids = [
    await personOf(http, provider),
    await personOf(other, another),
    await personOf(http, provider, { email: 'bob@supplier.example' }),
  ]
  await http.put(`/provider_person/${ids[0]}`, { ProviderPerson: { phone: '1' } })
  await other.delete(`/provider_person/${ids[1]}`)
  const first = await snapshot.call<Page>('ListProviderPersons', { after: String(BigInt(ids[0] ?? 0) - 1n), limit: 1 })
  const person = { customer_id: String(here.customerId), kind: 'CONTACT_KIND_PROVIDER_PERSON' }
  expect(first.contacts).toMatchObject([{ ...person, id: ids[0], email: 'Ann@supplier.example', revision: '2' }])
  const rest = await snapshot.call<Page>('ListProviderPersons', { after: ids[0] ?? '0' })
  expect(rest.contacts).toMatchObject([{ ...person, id: ids[2], email: 'bob@supplier.example', revision: '1' }])
  expect((await snapshot.call<Page>('ListProviderPersons', { after: ids[2] ?? '0' })).contacts).toEqual([])
})
