import { randomUUID } from 'node:crypto'
import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import type { Receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { deliveriesOf, newCase, newWebhook, startWebhooks, untilReceived, type Webhooks } from './support/webhooks.js'

let webhooks: Webhooks
let there: Receiver
beforeAll(async () => {
  webhooks = await startWebhooks()
  there = webhooks.receivers[0] as Receiver
})
afterAll(() => webhooks.stop())
beforeEach(() => {
  there.received.length = 0
  there.answer = (response) => void response.writeHead(204).end()
})

describe('an event of a case', () => {
  it('is sent with the case as REST shows it, signed by Standard Webhooks', async () => {
    const office = webhooks.office()
    const http = webhooks.asExpert(office.expert)
    const { id, secret } = await newWebhook(http, { url: there.url })
    const issueId = newCase(webhooks)
    await webhooks.publishCase(office, issueId, 'opened')
    const [got] = await untilReceived(there, 1)
    expect(new Webhook(secret).verify(got?.text ?? '', got?.headers as Record<string, string>)).toEqual({
      type: 'issue.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { Issue: { id: String(issueId), subject: 'A case' } },
    })
    expect(got?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Caseway-Webhooks/1' })
    const [delivery] = await eventually(async () => {
      const found = await deliveriesOf(http)
      expect(found[0]?.status).toBe('delivered')
      return found
    })
    expect(delivery).toMatchObject({ webhook_id: String(id), event_type: 'issue.created', subject: `issue:${issueId}`, tries: '1' })
    expect(delivery).toMatchObject({ status_code: '204', last_error: null, next_try: null, delivered: expect.any(String) })
    expect(got?.headers['webhook-id']).toBe(`${delivery?.event_id}_${id}`)
  })

  it('is sent once, however often it is delivered', async () => {
    const office = webhooks.office()
    await newWebhook(webhooks.asExpert(office.expert), { url: there.url })
    const [issueId, id] = [newCase(webhooks), randomUUID()]
    for (let i = 0; i < 3; i++) await webhooks.publishCase(office, issueId, 'changed', { id })
    await webhooks.publishCase(office, newCase(webhooks, 'The next one'))
    await untilReceived(there, 2)
    expect(there.received.map(({ body }) => body.data.Issue?.subject).sort()).toEqual(['A case', 'The next one'])
  })
  it('is sent to the other webhooks when one is deleted while it is stored', async () => {
    const office = webhooks.office()
    const http = webhooks.asExpert(office.expert)
    const [gone] = [await newWebhook(http, { url: there.url }), await newWebhook(http, { url: there.url })]
    const event = { issueId: newCase(webhooks), customerId: office.customerId, change: { $case: 'changed' as const, value: {} } }
    const deletion = await holdTransaction(webhooks.database, 'DELETE FROM webhooks WHERE id = $1', [gone.id])
    const stored = webhooks.deliverBatch(issueTopic, [IssueEvent.fromPartial(event)])
    await untilWaiting(webhooks.database, 1).finally(() => deletion.commit())
    await stored
    expect(await untilReceived(there, 1)).toHaveLength(1)
  })
})
