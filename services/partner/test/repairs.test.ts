import type { ServerResponse } from 'node:http'
import { eventually, type HttpClient, type TestTenant } from '@caseway/testing'
import type { Receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { deliveriesOf, newCase, newWebhook, startWebhooks, untilReceived, type Webhooks } from './support/webhooks.js'

let webhooks: Webhooks
let there: Receiver
let elsewhere: Receiver
let office: TestTenant
let http: HttpClient
beforeAll(async () => {
  webhooks = await startWebhooks(2)
  ;[there, elsewhere] = webhooks.receivers as [Receiver, Receiver]
})
afterAll(() => webhooks.stop())
beforeEach(() => {
  for (const receiver of [there, elsewhere]) {
    receiver.received.length = 0
    receiver.answer = (response) => void response.writeHead(204).end()
  }
  office = webhooks.office()
  http = webhooks.asExpert(office.expert)
})

/** Creates a webhook whose target holds the request until `fail` answers it with 500. */
async function hanging(health: string) {
  const { id } = await newWebhook(http, { url: there.url })
  await webhooks.database.rows(`UPDATE webhooks SET ${health} WHERE id = $1`, [id])
  let waiting: ServerResponse | undefined
  there.answer = (response) => {
    waiting = response
  }
  await webhooks.publishCase(office, newCase(webhooks))
  await untilReceived(there, 1)
  return { id, fail: () => void waiting?.writeHead(500).end() }
}

const webhookOf = async (id: number) => (await http.get<{ Webhook: object }>(`/webhook/${id}`)).body.Webhook
const untilDelivered = (expected: object) =>
  eventually(async () => expect(await deliveriesOf(http)).toEqual([expect.objectContaining({ status: 'delivered', ...expected })]))

describe('a try that fails after its webhook was changed', () => {
  it('does not count for a new address, to which its deliveries are sent at once', async () => {
    const { id, fail } = await hanging("failures = 6, failing_since = now() - interval '73 hours'")
    expect((await http.put(`/webhook/${id}`, { Webhook: { url: elsewhere.url } })).status).toBe(200)
    fail()
    const [got] = await untilReceived(elsewhere, 1, 3_000)
    expect(got?.text).toBe(there.received[0]?.text)
    await untilDelivered({ tries: '2' })
    expect(await webhookOf(id)).toMatchObject({ active: '1', failing_since: null, disabled_at: null, last_error: null })
  })

  it('does not pause a webhook for which a replay was requested', async () => {
    const { fail } = await hanging('failures = 6, failing_since = now()')
    there.answer = (response) => void response.writeHead(204).end()
    const [delivery] = await deliveriesOf(http)
    expect((await http.post(`/webhook_delivery/${delivery?.id}/replay`)).status).toBe(200)
    fail()
    await untilReceived(there, 2, 3_000)
    await untilDelivered({ id: delivery?.id })
  })

  it('does not fail the deliveries of a webhook that was switched on again', async () => {
    const { id, fail } = await hanging("failures = 6, failing_since = now() - interval '73 hours'")
    there.answer = (response) => void response.writeHead(204).end()
    for (const active of [0, 1]) await http.put(`/webhook/${id}`, { Webhook: { active } })
    fail()
    await untilDelivered({ tries: '2' })
    expect(await webhookOf(id)).toMatchObject({ active: '1', failing_since: null })
  })
})

describe('deliveries that wait for their next try', () => {
  /** A webhook with two events of a record, of which the first was refused and is tried again in an hour. */
  async function waiting() {
    const { id } = await newWebhook(http, { url: there.url })
    there.answer = (response) => void response.writeHead(500).end()
    const issueId = newCase(webhooks)
    await webhooks.publishCase(office, issueId, 'opened')
    await eventually(async () => expect(await deliveriesOf(http)).toEqual([expect.objectContaining({ status: 'pending', tries: '1' })]))
    await webhooks.database.rows("UPDATE webhook_deliveries SET next_try = now() + interval '1 hour' WHERE webhook_id = $1", [id])
    await webhooks.publishCase(office, issueId, 'changed')
    there.answer = (response) => void response.writeHead(204).end()
    return { id, change: (Webhook: object) => http.put(`/webhook/${id}`, { Webhook }) }
  }
  const typesAt = ({ received }: Receiver) => received.map(({ body }) => body.type)
  const bothInOrder = ['issue.created', 'issue.updated']

  it('are sent at once, and in order, when the webhook gets another address', async () => {
    const { change } = await waiting()
    await change({ url: elsewhere.url })
    await untilReceived(elsewhere, 2)
    expect(typesAt(elsewhere)).toEqual(bothInOrder)
  })

  it('are sent at once when the webhook is switched on again before they have failed', async () => {
    const { id, change } = await waiting()
    await webhooks.database.rows('UPDATE webhooks SET active = false WHERE id = $1', [id])
    await change({ active: 1 })
    await untilReceived(there, 3)
    expect(typesAt(there).slice(1)).toEqual(bothInOrder)
  })

  it('wait on when another webhook gets another address', async () => {
    const { id, change } = await waiting()
    const other = await newWebhook(http, { url: there.url })
    const move = "UPDATE webhook_deliveries SET webhook_id = $1, next_try = now() + interval '1 hour' WHERE webhook_id = $2"
    await webhooks.database.rows(move, [other.id, id])
    const before = await deliveriesOf(http)
    await change({ url: elsewhere.url })
    expect(await deliveriesOf(http)).toEqual(before)
  })

  it('wait on when something else of the webhook is changed', async () => {
    const { change } = await waiting()
    const before = await deliveriesOf(http)
    await change({ url: there.url, active: 1, description: 'Orders' })
    expect(await deliveriesOf(http)).toEqual(before)
  })
})

it('further failures do not invalidate the entity tag of a failing webhook', async () => {
  const { id } = await newWebhook(http, { url: there.url })
  there.answer = (response) => void response.writeHead(500).end()
  const fails = async (times: number) => {
    await webhooks.publishCase(office, newCase(webhooks))
    const failing = 'SELECT FROM webhooks WHERE id = $1 AND failures >= $2'
    await eventually(async () => expect(await webhooks.database.rows(failing, [id, times])).toHaveLength(1))
  }
  const read = async () => (await http.get(`/webhook/${id}`)).headers.get('etag') ?? ''
  const change = async (tag: string) => (await http.put(`/webhook/${id}`, { Webhook: { url: elsewhere.url } }, { 'if-match': tag })).status
  const before = await read()
  await fails(1)
  const tag = await read()
  await fails(2)
  expect([await change(before), await change(tag), await change(tag)]).toEqual([412, 200, 412])
})
