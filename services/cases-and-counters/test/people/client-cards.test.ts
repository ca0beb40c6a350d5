import { type GrpcClient, grpcClient, randomId, type TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

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

const names = { first_name: 'Ada', last_name: 'Nowak' }

async function withCards(count: number) {
  const office = cases.office()
  const client = cases.client(office)
  const http = cases.asExpert(office.expert)
  const card = { ...names, company_name: 'Nowak Ltd', phone: '1', user_client_id: String(client.userId) }
  for (let made = 0; made < count; made++) expect((await http.post('/issue_initiator', { IssueInitiator: card })).status).toBe(201)
  return { office, http, clientId: client.userId }
}

const change = async ({ customerId }: Pick<TestTenant, 'customerId'>, clientId: bigint, changes: object): Promise<number> =>
  (
    await contacts.call<{ cards: number }>('ChangeClientCards', {
      customer_id: String(customerId),
      client_id: String(clientId),
      ...changes,
    })
  ).cards

const cardsOf = (clientId: bigint) =>
  cases.database.rows(
    'SELECT first_name, last_name, email, phone, company_name, version FROM issue_initiators WHERE user_client_id = $1 ORDER BY id',
    [clientId],
  )

it('changes the sent fields of all cards of the client, and returns their number, also when repeated', async () => {
  const { office, clientId } = await withCards(2)
  const changes = { email: 'ada@lis.test', last_name: 'Lis' }
  expect([await change(office, clientId, changes), await change(office, clientId, changes)]).toEqual([2, 2])
  const card = { first_name: 'Ada', last_name: 'Lis', email: 'ada@lis.test', phone: '1', company_name: 'Nowak Ltd', version: 2 }
  expect(await cardsOf(clientId)).toEqual([card, card])
})

it('clears the company if its name is empty', async () => {
  const { office, clientId } = await withCards(1)
  expect(await change(office, clientId, { company_name: '' })).toBe(1)
  expect(await cardsOf(clientId)).toMatchObject([{ company_name: null }])
})

it('does not change the cards of other clients and of other offices', async () => {
  const { office, http, clientId } = await withCards(1)
  expect((await http.post('/issue_initiator', { IssueInitiator: names })).status).toBe(201)
  const elsewhere = await withCards(1)
  expect(await change(elsewhere.office, clientId, { last_name: 'Lis' })).toBe(0)
  expect(await change(office, randomId(), { last_name: 'Lis' })).toBe(0)
  const left = 'SELECT last_name FROM issue_initiators WHERE customer_id = ANY ($1)'
  const rows = await cases.database.rows(left, [[office.customerId, elsewhere.office.customerId]])
  expect(rows).toEqual([{ last_name: 'Nowak' }, { last_name: 'Nowak' }, { last_name: 'Nowak' }])
})

it('waits for a concurrent change of a card, and keeps its other fields', async () => {
  const { office, clientId } = await withCards(1)
  const write = "UPDATE issue_initiators SET phone = '2' WHERE user_client_id = $1"
  const held = await holdTransaction(cases.database, write, [clientId])
  const changed = change(office, clientId, { last_name: 'Lis' })
  await untilWaiting(cases.database, 1)
  await held.commit()
  expect(await changed).toBe(1)
  expect(await cardsOf(clientId)).toMatchObject([{ last_name: 'Lis', phone: '2', version: 3 }])
})
