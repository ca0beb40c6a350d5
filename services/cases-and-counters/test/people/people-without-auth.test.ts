import { Folder } from '@caseway/protos/mail/v1/events'
import { folderCountTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
/** A trainee whose rights were read before auth became unavailable: they have none. */
let known: { http: HttpClient; issueId: number }
beforeAll(async () => {
  cases = await startCases()
  const office = await officeWithUnread()
  const http = cases.asExpert(office.trainee)
  known = { http, issueId: await openIssue(http) }
  expect(await unread(http)).toBe(0)
  expect(await say(known)).toBe(201)
  await cases.auth.stop()
})
afterAll(() => cases.stop())

async function officeWithUnread(): Promise<TestTenant> {
  const office = cases.office()
  const { customerId } = office
  const count = { customerId, userId: 0n, folder: Folder.CLIENTS, folderId: 0n, count: 4, revision: 1n, removed: false }
  await cases.publish(folderCountTopic, count)
  return office
}

async function unread(http: HttpClient): Promise<number | undefined> {
  const { body } = await http.get<{ Counter: { MailReceivedMysqlMessage: { clients: number } } }>('/counter?type=clients')
  return body.Counter.MailReceivedMysqlMessage.clients
}

/** The status of sending a reply, for which auth is asked whether it needs a review. */
const say = async ({ http, issueId }: typeof known) =>
  (await http.post('/issue_sentence', { IssueSentence: { issue_id: issueId, body: 'Hello' } })).status

it('while auth is unavailable, people who are not in the copies get 503, and everything else works', async () => {
  const http = cases.asExpert(cases.office().expert)
  const unknown = await http.post('/tag', { Tag: { name: 'x', user_id: String(randomId()) } })
  expect([unknown.status, unknown.body]).toEqual([503, expect.objectContaining({ errorCode: 'UNAVAILABLE' })])
  expect(unknown.headers.get('retry-after')).toBe('1')
  expect((await http.post('/tag', { Tag: { name: 'x' } })).status).toBe(201)
  expect((await http.get('/counter')).status).toBe(200)
})

it('while auth is unavailable, counters show the unread messages of the office’s folders to people with unknown rights', async () => {
  const { trainee } = await officeWithUnread()
  expect(await unread(cases.asExpert(trainee))).toBe(4)
})

it('while auth is unavailable, counters use the last known rights', async () => {
  // Once auth is asked again, the cached rights of both have expired.
  await eventually(async () => expect(await say(known)).toBe(503), { timeoutMs: 20_000, everyMs: 200 })
  expect(await unread(known.http)).toBe(0)
})
