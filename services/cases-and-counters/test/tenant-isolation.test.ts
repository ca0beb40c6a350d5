import { Folder } from '@caseway/protos/mail/v1/events'
import { fileTopic, folderCountTopic, groupTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { eventually, type Person, randomId, type TestTenant } from '@caseway/testing'
import { group, link, user } from '@caseway/testing/fake-auth'
import { attachment, file } from '@caseway/testing/fake-files'
import { withSettings } from '@caseway/testing/scoped-access'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { tables } from '../src/tables.js'
import { type Cases, openIssue, startCases } from './support/cases.js'

let cases: Cases
let here: TestTenant
let client: Person<unknown>
beforeAll(async () => {
  cases = await startCases()
  await eventually(async () => expect(await cases.database.rows('SELECT name FROM kit.copy_state')).toHaveLength(6))
  here = await cases.officeIn('Europe/Rome')
  client = cases.client(here)
  const { customerId } = here
  await cases.publish(userTopic, user({ id: here.expert.userId, customerId }))
  await cases.publish(groupTopic, group({ id: randomId(), customerId }))
  await cases.publish(linkTopic, link({ customerId, clientId: client.userId }))
  await cases.publish(folderCountTopic, {
    customerId,
    userId: 0n,
    folder: Folder.CLIENTS,
    folderId: 0n,
    count: 1,
    revision: 1n,
    removed: false,
  })
  const http = cases.asExpert(here.expert)
  const issue = await openIssue(http, { user_client_id: String(client.userId), user_id: String(here.expert.userId) })
  await openIssue(http, { user_id: String(here.specialist.userId) })
  const sentence = await http.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: issue, body: 'Here' } })
  await cases.publish(fileTopic, file({ customerId, links: [attachment(sentence.body.id)] }))
  await http.post('/issue_payment_offer', { IssuePaymentOffer: { issue_id: issue, amount: 1 } })
  await http.post('/comment', { Comment: { issue_id: issue, body: 'Here' } })
  const tag = await http.post<{ id: number }>('/tag', { Tag: { name: 'Here' } })
  await http.post('/issue_tag', { IssueTag: { issue_id: issue, tag_id: tag.body.id } })
  const subject = await http.post<{ id: number }>('/issue_subject', { IssueSubject: { name: 'Here' } })
  await http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: subject.body.id, label: 'Here' } })
  await http.post('/issue_initiator', { IssueInitiator: { first_name: 'A', last_name: 'B' } })
  const provider = await http.post<{ id: number }>('/provider', { Provider: { name: 'Here' } })
  const person = { provider_id: provider.body.id, first_name: 'A', last_name: 'B', email: 'a@b.example' }
  await http.post('/provider_person', { ProviderPerson: person })
  await http.post('/work_time', { WorkTime: { started: '2026-01-15 08:00:00', ended: '2026-01-15 09:00:00' } })
  await http.post('/work_time/start', { WorkTime: {} })
  await http.post('/event/ticket')
  // Prevents the purge of an expired ticket during the tests.
  await cases.database.rows("UPDATE event_tickets SET expires = now() + interval '1 day'")
  await cases.database.rows("INSERT INTO counter_checks VALUES ($1, now(), '{}') ON CONFLICT DO NOTHING", [customerId])
})
afterAll(() => cases.stop())

itIsolatesTenants(tables, () => ({ database: cases.database, customerId: here.customerId, clientId: client.userId }))

const asClient = () => ({ 'app.client_id': String(client.userId) })

it('every policy that admits clients checks whether the office is open to them', async () => {
  const policies = await cases.database.rows<{ tablename: string; policyname: string }>(
    `SELECT tablename, policyname FROM pg_policies WHERE qual LIKE '%app.client_id%' AND qual NOT LIKE '%client_offices%' ORDER BY 1`,
  )
  // Clients see the links themselves, and entries of a feed do not name cases of closed offices, see `feedRepository.read`.
  expect(policies.map(({ tablename }) => tablename)).toEqual(['client_links', 'feed_entries'])
})

it.each(["'question'", "'question', NULL, 10"])('a search only finds cases of the office of its transaction (%s)', async (asked) => {
  const settings = [
    { 'app.customer_id': String(here.customerId) },
    { 'app.customer_id': String(randomId()) },
    asClient(),
    { 'app.platform': 'on' },
    {},
  ]
  const found = settings.map((of) =>
    withSettings(cases.database, of, async (connection) => (await connection.query(`SELECT FROM matching_issues(${asked})`)).rowCount),
  )
  expect(await Promise.all(found)).toEqual([2, 0, 0, 0, 0])
})

it('a client only sees the entries of their own feed', async () => {
  const feeds = await withSettings(cases.database, asClient(), (connection) => connection.query('SELECT DISTINCT feed FROM feed_entries'))
  expect(feeds.rows).toEqual([{ feed: `client:${client.userId}` }])
})

it('a client can lock their cases, but not change them outside of their office', async () => {
  await withSettings(cases.database, asClient(), async (connection) => {
    expect((await connection.query('SELECT id FROM issues FOR UPDATE')).rowCount).toBe(1)
    await expect(connection.query("UPDATE issues SET subject = 'x'")).rejects.toThrow('row-level security')
  })
})
