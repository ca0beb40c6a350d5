import { linkTopic } from '@caseway/protos/topics'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
const { connect, closeAll } = openStreams(() => cases)
beforeAll(async () => {
  cases = await startCases()
})
afterEach(closeAll)
afterAll(() => cases.stop())

it('a sentence sends its case on the streams of the office and of the client', async () => {
  const office = cases.office()
  const client = cases.client(office)
  const [expert, http] = [cases.asExpert(office.expert), cases.asClient(client)]
  const issue = await openIssue(expert, { user_client_id: String(client.userId) })
  const [colleagues, clients] = [await connect(office.trainee), await connect(client, 'client')]
  await next(colleagues, 'counter')
  await http.post('/issue_sentence', { IssueSentence: { issue_id: String(issue), body: 'A question' } })
  expect(await next(colleagues, 'issue')).toMatchObject({ Issue: { id: String(issue), waiting_since: expect.any(String) } })
  await next(clients, 'issue')
  await expert.post('/issue_sentence', { IssueSentence: { issue_id: String(issue), body: 'An answer' } })
  expect(await next(colleagues, 'issue')).toMatchObject({ Issue: { id: String(issue), waiting_since: null } })
  await next(clients, 'issue')
})

it('a concurrent question and reply are serialized, and no wait is lost', async () => {
  const office = cases.office()
  const client = cases.client(office)
  await cases.publish(linkTopic, ...cases.auth.links.slice(-1))
  const [expert, http] = [cases.asExpert(office.expert), cases.asClient(client)]
  const issue = await openIssue(expert, { user_client_id: String(client.userId) })
  const held = await holdTransaction(cases.database, 'SELECT FROM issues WHERE id = $1 FOR UPDATE', [issue])
  const sentence = { IssueSentence: { issue_id: String(issue), body: 'At once' } }
  const questionSent = http.post<{ id: number }>('/issue_sentence', sentence)
  await untilWaiting(cases.database, 1)
  const answerSent = expert.post<{ id: number }>('/issue_sentence', sentence)
  await untilWaiting(cases.database, 2)
  await held.commit()
  expect([(await questionSent).status, (await answerSent).status]).toEqual([201, 201])
  const reply = await expert.get(`/issue_sentence/${(await answerSent).body.id}`)
  expect(reply.body).toMatchObject({ IssueSentence: { waiting_since: expect.any(String), waiting_time: expect.any(String) } })
  expect((await expert.get(`/issue/${issue}`)).body).toMatchObject({ Issue: { waiting_since: null } })
})
