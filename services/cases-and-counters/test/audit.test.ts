import { randomUUID } from 'node:crypto'
import { auditTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from './support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const published = async (customerId: bigint) =>
  (await cases.published(auditTopic)).filter(({ key }) => key === String(customerId)).map(({ event }) => event)

describe('audit.event.v1', () => {
  it('contains who deleted a case, with address and request id', async () => {
    const { customerId, expert } = cases.office()
    const http = cases.asExpert(expert)
    const id = await openIssue(http)
    const requestId = randomUUID()
    expect((await http.delete(`/issue/${id}`, { 'x-request-id': requestId, 'x-forwarded-for': '203.0.113.9' })).status).toBe(200)
    const actor = `employee:${expert.userId}`
    expect(await published(customerId)).toEqual([
      { customerId, kind: 'issue.deleted', actor, subject: `issue:${id}`, address: '203.0.113.9', requestId, details: { number: '1' } },
    ])
  })

  it('contains refused callers, but no deletion that did not happen', async () => {
    const { customerId, trainee, expert } = cases.office()
    const id = await openIssue(cases.asExpert(expert))
    expect((await cases.asExpert(expert).delete(`/issue/${id}`, { 'if-match': '"9"' })).status).toBe(412)
    expect((await cases.asExpert(expert).delete(`/issue/${randomId()}`)).status).toBe(404)
    expect((await cases.asExpert(trainee).delete(`/issue/${id}`)).status).toBe(403)
    const details = { method: 'DELETE', route: '/expert/rest/issue/:id' }
    expect(await published(customerId)).toMatchObject([{ kind: 'right.refused', actor: `employee:${trainee.userId}`, details }])
  })
})
