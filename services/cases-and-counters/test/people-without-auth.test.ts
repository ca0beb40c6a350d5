import { Folder } from '@caseway/protos/mail/v1/events'
import { folderCountTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, startCases } from './support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
  await cases.auth.stop()
})
afterAll(() => cases.stop())

it('while auth is away, whoever is not in the copies is not decided: 503, and the rest works', async () => {
  const http = cases.asExpert(cases.office().expert)
  const unknown = await http.post('/tag', { Tag: { name: 'x', user_id: String(randomId()) } })
  expect([unknown.status, unknown.body]).toEqual([503, expect.objectContaining({ errorCode: 'UNAVAILABLE' })])
  expect(unknown.headers.get('retry-after')).toBe('1')
  expect((await http.post('/tag', { Tag: { name: 'x' } })).status).toBe(201)
  expect((await http.get('/counter')).status).toBe(200)
})

it('while auth is away, counters show what is unread in the folders of the office', async () => {
  const { customerId, trainee } = cases.office()
  const count = { customerId, userId: 0n, folder: Folder.CLIENTS, folderId: 0n, count: 4, revision: 1n, removed: false }
  await cases.publish(folderCountTopic, count)
  const { body } = await cases.asExpert(trainee).get('/counter?type=clients')
  expect(body).toEqual({ Counter: { MailReceivedMysqlMessage: { clients: 4 } } })
})
