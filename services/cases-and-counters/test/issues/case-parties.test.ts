import { type GrpcClient, grpcClient, randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
let contacts: GrpcClient
beforeAll(async () => {
  cases = await startCases()
  contacts = grpcClient(cases.service.grpcAddress, 'caseway.cases_and_counters.v1.ContactService')
})
afterAll(async () => {
  contacts.close()
  await cases.stop()
})

let here: TestTenant
beforeEach(() => {
  here = cases.office()
})

const isParty = async (issueId: number | bigint, address: string, clientId?: bigint, { customerId } = here) => {
  const question = { customer_id: String(customerId), issue_id: String(issueId), address, ...(clientId && { client_id: String(clientId) }) }
  return (await contacts.call<{ party: boolean }>('IsParty', question)).party
}
const create = async (path: string, wrapper: string, fields: object) =>
  (await cases.asExpert(here.expert).post<{ id: number; ProviderPerson?: { id: string } }>(path, { [wrapper]: fields })).body.id

it('only the client, the contact and the provider of a case are its parties', async () => {
  const [client, other] = [cases.client(here), cases.client(here)]
  const card = { first_name: 'Jan', last_name: 'Kowalski', email: 'Jan@card.example', user_client_id: String(other.userId) }
  const issue_initiator_id = await create('/issue_initiator', 'IssueInitiator', card)
  const provider_id = await create('/provider', 'Provider', { name: 'Supplier', email: 'office@supplier.example' })
  const unrelated = await create('/provider', 'Provider', { name: 'Another', email: 'office@another.example' })
  for (const [id, email] of [
    [provider_id, 'ann@supplier.example'],
    [unrelated, 'bob@another.example'],
  ])
    await create('/provider_person', 'ProviderPerson', { provider_id: id, first_name: 'A', last_name: 'B', email })
  const id = await openIssue(cases.asExpert(here.expert), { user_client_id: String(client.userId), issue_initiator_id, provider_id })
  const bare = await openIssue(cases.asExpert(here.expert))

  for (const address of ['jan@card.example', 'JAN@card.example', 'office@supplier.example', 'Ann@Supplier.example'])
    expect([address, await isParty(id, address), await isParty(bare, address)]).toEqual([address, true, false])
  for (const clientId of [client.userId, other.userId])
    expect([await isParty(id, 'x@y.example', clientId), await isParty(bare, 'x@y.example', clientId)]).toEqual([true, false])
  for (const address of ['bob@another.example', 'office@another.example', 'x@y.example', ''])
    expect([address, await isParty(id, address)]).toEqual([address, false])
  expect(await isParty(id, 'x@y.example', randomId())).toBe(false)
})

it('a case that the office does not have has no parties', async () => {
  const issue_initiator_id = await create('/issue_initiator', 'IssueInitiator', {
    first_name: 'A',
    last_name: 'B',
    email: 'a@card.example',
  })
  const id = await openIssue(cases.asExpert(here.expert), { issue_initiator_id })
  expect(await isParty(id, 'a@card.example')).toBe(true)
  expect(await isParty(id, 'a@card.example', undefined, cases.office())).toBe(false)
  expect(await isParty(randomId(), 'a@card.example')).toBe(false)
})
