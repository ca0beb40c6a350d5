import type { Id } from '@caseway/kit/caller'
import { webhookTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, type TestTenant } from '@caseway/testing'
import { skewClock } from '@caseway/testing/skewed-clock'
import type { Receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { deliveriesOf, newCase, newWebhook, startWebhooks, untilReceived, type Webhooks } from './support/webhooks.js'

let webhooks: Webhooks
let there: Receiver
let office: TestTenant
let http: HttpClient
beforeAll(async () => {
  webhooks = await startWebhooks()
  there = webhooks.receivers[0] as Receiver
})
afterAll(() => webhooks.stop())
beforeEach(() => {
  there.received.length = 0
  there.answer = (response) => void response.writeHead(204).end()
  office = webhooks.office()
  http = webhooks.asExpert(office.expert)
})

const typesOf = (id: Id) => there.received.filter(({ body }) => body.data.Issue?.id === String(id)).map(({ body }) => body.type)
/** Makes the next try of every pending delivery due now. */
const dueNow = () => webhooks.database.rows("UPDATE webhook_deliveries SET next_try = now() WHERE status = 'pending'")
const wake = () =>
  webhooks.database.rows("UPDATE kit.job SET run_at = now(), due = now() WHERE name = 'webhook-sending' AND state = 'waiting'")
const untilStatus = (id: unknown, expected: object) =>
  eventually(async () => expect((await deliveriesOf(http)).find((one) => one.id === id)).toMatchObject(expected))

describe('an event that is refused', () => {
  it('delays later events of its record, and no others', async () => {
    await newWebhook(http, { url: there.url })
    const [refused, other] = [newCase(webhooks), newCase(webhooks)]
    there.answer = (response, { body }) => void response.writeHead(body.data.Issue?.id === String(refused) ? 500 : 204).end()
    await webhooks.publishCase(office, refused, 'opened')
    await untilReceived(there, 1)
    await webhooks.publishCase(office, refused, 'changed')
    await webhooks.publishCase(office, other, 'changed')
    await untilReceived(there, 2)
    const [first, next, last] = await deliveriesOf(http)
    await untilStatus(last?.id, { status: 'delivered' })
    await untilStatus(first?.id, { status: 'pending', tries: '1', status_code: '500', last_error: 'status' })
    await untilStatus(next?.id, { status: 'pending', tries: '0' })
    expect(typesOf(refused)).toEqual(['issue.created'])

    there.answer = (response) => void response.writeHead(200).end()
    await dueNow()
    await wake()
    await untilReceived(there, 4)
    expect(typesOf(refused)).toEqual(['issue.created', 'issue.created', 'issue.updated'])
  })

  it('is tried again with the same id and bytes, also when the record has changed meanwhile', async () => {
    await newWebhook(http, { url: there.url })
    const id = newCase(webhooks, 'before')
    there.answer = (response) => void response.writeHead(503).end()
    await webhooks.publishCase(office, id, 'changed')
    await untilReceived(there, 1)
    const [delivery] = await deliveriesOf(http)
    await untilStatus(delivery?.id, { tries: '1' })
    webhooks.cases.set(id, JSON.stringify({ Issue: { id: String(id), subject: 'after' } }))
    there.answer = (response) => void response.writeHead(200).end()
    await dueNow()
    await wake()
    const [one, two] = await untilReceived(there, 2)
    expect([two?.text, two?.headers['webhook-id']]).toEqual([one?.text, one?.headers['webhook-id']])
  })

  it('has failed after 24 hours, and the next one of its record follows', async () => {
    await newWebhook(http, { url: there.url })
    const id = newCase(webhooks)
    there.answer = (response, { body }) => void response.writeHead(body.type === 'issue.created' ? 500 : 204).end()
    await webhooks.publishCase(office, id, 'opened')
    await untilReceived(there, 1)
    const [first] = await deliveriesOf(http)
    await untilStatus(first?.id, { tries: '1' })
    await webhooks.database.rows("UPDATE webhook_deliveries SET expires = now() + interval '10 seconds' WHERE id = $1", [first?.id])
    await dueNow()
    await webhooks.publishCase(office, id, 'changed')
    await untilReceived(there, 3)
    await untilStatus(first?.id, { status: 'failed', tries: '2', next_try: null })
    expect(typesOf(id)).toEqual(['issue.created', 'issue.created', 'issue.updated'])
  })
})

it('of a deleted record only the id is sent', async () => {
  await newWebhook(http, { url: there.url })
  const id = newCase(webhooks)
  webhooks.cases.delete(id)
  await webhooks.publishCase(office, id, 'deleted')
  const [got] = await untilReceived(there, 1)
  expect(got?.body).toMatchObject({ type: 'issue.deleted', data: { Issue: { id: String(id) } } })
})

describe('a replay', () => {
  it('sends the same body again, of delivered and of failed deliveries', async () => {
    await newWebhook(http, { url: there.url })
    await webhooks.publishCase(office, newCase(webhooks))
    await untilReceived(there, 1)
    const [delivery] = await deliveriesOf(http)
    await untilStatus(delivery?.id, { status: 'delivered' })
    expect((await http.post(`/webhook_delivery/${delivery?.id}/replay`)).body).toEqual({ status: 'OK' })
    const [one, two] = await untilReceived(there, 2)
    expect([two?.text, two?.headers['webhook-id']]).toEqual([one?.text, one?.headers['webhook-id']])
  })

  it('is sent at once, when the clock of the service is five minutes ahead of that of the database', async () => {
    await newWebhook(http, { url: there.url })
    await webhooks.publishCase(office, newCase(webhooks))
    await untilReceived(there, 1)
    const [delivery] = await deliveriesOf(http)
    await untilStatus(delivery?.id, { status: 'delivered' })
    const restore = skewClock(5)
    await http.post(`/webhook_delivery/${delivery?.id}/replay`).finally(restore)
    await untilReceived(there, 2)
  })

  it('is refused where the webhook is switched off', async () => {
    const { id } = await newWebhook(http, { url: there.url })
    await webhooks.publishCase(office, newCase(webhooks))
    await untilReceived(there, 1)
    await http.put(`/webhook/${id}`, { Webhook: { active: 0 } })
    const [delivery] = await deliveriesOf(http)
    const { status, body } = await http.post(`/webhook_delivery/${delivery?.id}/replay`)
    expect([status, body]).toEqual([409, { status: 'error', errorMessages: 'The webhook is switched off.', errorCode: 'WEBHOOK_INACTIVE' }])
  })
})

describe('a webhook whose deliveries are refused', () => {
  it('pauses after five failures in a row, and continues when a delivery is accepted', async () => {
    const { id } = await newWebhook(http, { url: there.url })
    await webhooks.database.rows('UPDATE webhooks SET failures = 4, failing_since = now() WHERE id = $1', [id])
    there.answer = (response) => void response.destroy()
    await webhooks.publishCase(office, newCase(webhooks))
    await untilReceived(there, 1)
    const health = async () =>
      (
        await webhooks.database.rows<Record<string, unknown>>(
          'SELECT failures, paused_until > now() AS paused, failing_since IS NOT NULL AS failing, last_error FROM webhooks WHERE id = $1',
          [id],
        )
      )[0]
    await eventually(async () => expect(await health()).toEqual({ failures: 5, paused: true, failing: true, last_error: 'unreachable' }))
    there.answer = (response) => void response.writeHead(200).end()
    await webhooks.publishCase(office, newCase(webhooks))
    const [first] = await deliveriesOf(http)
    expect(there.received).toHaveLength(1)
    await http.post(`/webhook_delivery/${first?.id}/replay`)
    await untilReceived(there, 3)
    await eventually(async () => expect(await health()).toEqual({ failures: 0, paused: null, failing: false, last_error: null }))
  })

  it('sends nothing during its pause, also of earlier deliveries', async () => {
    const { id } = await newWebhook(http, { url: there.url })
    await webhooks.database.rows('UPDATE webhooks SET failures = 6, failing_since = now() WHERE id = $1', [id])
    there.answer = (response) => void response.destroy()
    await webhooks.publishCase(office, newCase(webhooks))
    await untilReceived(there, 1)
    const waiting = () =>
      webhooks.database.rows<{ waits: boolean }>(
        "SELECT due > now() + interval '1 second' AS waits FROM kit.job WHERE name = 'webhook-sending' AND key = $1 AND state = 'waiting'",
        [String(id)],
      )
    await eventually(async () => expect(await waiting()).toEqual([{ waits: true }]))
    await dueNow()
    await wake()
    await eventually(async () => expect(await waiting()).toEqual([{ waits: true }]))
    expect(there.received).toHaveLength(1)
  })

  it('pauses by the clock of the database, when that of the service is five minutes behind', async () => {
    const { id } = await newWebhook(http, { url: there.url })
    await webhooks.database.rows('UPDATE webhooks SET failures = 6, failing_since = now() WHERE id = $1', [id])
    there.answer = (response) => void response.destroy()
    const restore = skewClock(-5)
    try {
      await webhooks.publishCase(office, newCase(webhooks))
      const waiting =
        "SELECT due > now() + interval '1 minute' AS waits FROM kit.job WHERE name = 'webhook-sending' AND key = $1 AND state = 'waiting'"
      await eventually(async () => expect(await webhooks.database.rows(waiting, [String(id)])).toEqual([{ waits: true }]))
    } finally {
      restore()
    }
  })

  it('restarts its failing period after a day without a try, also by a replay', async () => {
    const { id } = await newWebhook(http, { url: there.url })
    const quiet = `
      UPDATE webhooks SET failures = 1, failing_since = now() - interval '73 hours', paused_until = now() - interval '25 hours' WHERE id = $1`
    await webhooks.database.rows(quiet, [id])
    there.answer = (response) => void response.writeHead(500).end()
    await webhooks.publishCase(office, newCase(webhooks))
    const [delivery] = await deliveriesOf(http)
    await untilStatus(delivery?.id, { status: 'pending', tries: '1' })
    const failing = async () => (await webhooks.database.rows(since, [id]))[0]
    const since = "SELECT active, failing_since > now() - interval '1 minute' AS anew, failures FROM webhooks WHERE id = $1"
    expect(await failing()).toEqual({ active: true, anew: true, failures: 2 })
    await webhooks.database.rows(quiet, [id])
    await http.post(`/webhook_delivery/${delivery?.id}/replay`)
    await eventually(async () => expect(await failing()).toEqual({ active: true, anew: true, failures: 2 }))
  })

  it('is switched off after three days, and its pending deliveries have failed', async () => {
    const { id } = await newWebhook(http, { url: there.url })
    await webhooks.database.rows("UPDATE webhooks SET failures = 1, failing_since = now() - interval '73 hours' WHERE id = $1", [id])
    there.answer = (response) => void response.writeHead(410).end()
    await webhooks.publishCase(office, newCase(webhooks))
    await eventually(async () => {
      const { body } = await http.get<{ Webhook: object }>(`/webhook/${id}`)
      expect(body.Webhook).toMatchObject({ active: '0', disabled_at: expect.any(String), last_error: 'status' })
    })
    const published = (await webhooks.published(webhookTopic)).map(({ event }) => event).filter((event) => event.id === BigInt(id))
    expect(published).toEqual([
      { id: BigInt(id), customerId: office.customerId, userId: office.expert.userId, host: '127.0.0.1', revision: expect.any(BigInt) },
    ])
    const [delivery] = await deliveriesOf(http)
    await untilStatus(delivery?.id, { status: 'failed', tries: '1' })
    await http.put(`/webhook/${id}`, { Webhook: { active: 1 } })
    expect((await http.get(`/webhook/${id}`)).body).toMatchObject({
      Webhook: { active: '1', disabled_at: null, last_error: null, failing_since: null },
    })
  })
})
