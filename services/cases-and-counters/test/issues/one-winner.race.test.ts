import { meetAt } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { issueOf, put, repliesOf } from '../support/sentences.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const { withReply, typesOf } = repliesOf(() => cases)

/** 50 requests, numbered. */
const fifty = <T>(request: (number: number) => Promise<T>) => Array.from({ length: 50 }, (_, number) => () => request(number))

const lockOf = (table: string, id: number) => ({ sql: `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, values: [id] })

const tally = (answers: readonly { status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, those]) => [status, those.length]))

it('of 50 employees who accept a case concurrently, one succeeds', async () => {
  const office = cases.office()
  const [giver, owner] = [cases.asExpert(office.expert), cases.asExpert(office.trainee)]
  const id = await openIssue(giver, { user_id: String(office.trainee.userId) })
  const answers = await meetAt(
    cases.database,
    lockOf('issues', id),
    fifty(() => owner.put(`/issue/${id}`, { Issue: { status: 'open' } })),
  )
  expect(tally(answers)).toEqual({ 200: 1, 409: 49 })
  expect(await issueOf(giver, id)).toMatchObject({ status: 'open', version: '2' })
})

it('of 50 reviewers who approve a reply concurrently, one succeeds, and its author is notified once', async () => {
  const { office, expert, issue, id } = await withReply()
  const before = Number((await issueOf(expert, issue)).version)
  const answers = await meetAt(
    cases.database,
    lockOf('issue_sentences', id),
    fifty((number) => put(expert, id, { status: 'sent', ...(number % 2 && { body: `No. ${number}` }) })),
  )
  expect(tally(answers)).toEqual({ 200: 1, 409: 49 })
  expect(Number((await issueOf(expert, issue)).version)).toBe(before + 1)
  expect(await typesOf(office.trainee)).toEqual(['reply_approved'])
})

it('of 50 concurrent choices among the offers of a case, the last one wins', async () => {
  const office = cases.office()
  const person = cases.client(office)
  const [expert, client] = [cases.asExpert(office.expert), cases.asClient(person)]
  const issue = await openIssue(expert, { user_client_id: String(person.userId) })
  const offers: number[] = []
  for (let made = 0; made < 10; made++) {
    const IssuePaymentOffer = { issue_id: issue, amount: '1.00' }
    offers.push((await expert.post<{ id: number }>('/issue_payment_offer', { IssuePaymentOffer })).body.id)
  }
  const choose = (number: number) =>
    client.put(`/issue_payment_offer/${offers[number % offers.length]}`, { IssuePaymentOffer: { is_chosen: 1 } })
  const { 200: made = 0, 503: tooLate = 0 } = tally(await meetAt(cases.database, lockOf('issues', issue), fifty(choose)))
  // They are serialized, and on a busy machine the last ones time out while they wait.
  expect(made).toBeGreaterThan(1)
  expect(made + tooLate).toBe(50)
  const chosen = 'SELECT FROM issue_payment_offers WHERE issue_id = $1 AND is_chosen'
  expect(await cases.database.rows(chosen, [issue])).toHaveLength(1)
})

it('of 50 concurrent persons of a provider with the same address, one is created', async () => {
  const { customerId, expert } = cases.office()
  const http = cases.asExpert(expert)
  const provider = (await http.post<{ id: number }>('/provider', { Provider: { name: 'Supplier' } })).body.id
  const enter = (number: number) => {
    const ProviderPerson = {
      provider_id: provider,
      first_name: 'Anna',
      last_name: 'Nowak',
      email: number % 2 ? 'a@b.example' : 'A@B.example',
    }
    return http.post<{ errorMessages?: object }>('/provider_person', { ProviderPerson })
  }
  const answers = await meetAt(cases.database, lockOf('providers', provider), fifty(enter))
  expect(tally(answers)).toEqual({ 201: 1, 400: 49 })
  for (const { status, body } of answers) if (status === 400) expect(Object.keys(body.errorMessages ?? {})).toEqual(['email'])
  expect(await cases.database.rows('SELECT FROM provider_persons WHERE customer_id = $1', [customerId])).toHaveLength(1)
})
