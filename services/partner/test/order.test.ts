import type { TestTenant } from '@caseway/testing'
import { eventually } from '@caseway/testing'
import type { Receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newCase, newWebhook, startWebhooks, untilReceived, type Webhooks } from './support/webhooks.js'

let webhooks: Webhooks
let office: TestTenant
let one: Receiver
let other: Receiver
let hanging: Receiver
beforeAll(async () => {
  webhooks = await startWebhooks(3)
  ;[one, other, hanging] = webhooks.receivers as [Receiver, Receiver, Receiver]
})
afterAll(() => webhooks.stop())
beforeEach(() => {
  office = webhooks.office()
  for (const receiver of webhooks.receivers) receiver.received.length = 0
})

/** Ends the pauses of all deliveries and webhooks. */
async function endPauses({ database }: Webhooks): Promise<void> {
  await database.rows("UPDATE webhook_deliveries SET next_try = now() WHERE status = 'pending' AND next_try > now()")
  await database.rows('UPDATE webhooks SET paused_until = NULL WHERE paused_until > now()')
  await database.rows("UPDATE kit.job SET run_at = now(), due = now() WHERE name = 'webhook-sending' AND state = 'waiting'")
}

describe('a receiver that refuses a fifth, and is down for a while', () => {
  it('gets each event at least once, and those of one record in order', async () => {
    const [records, each] = [40, 15]
    await newWebhook(webhooks.asExpert(office.expert), { url: one.url })
    const cases = Array.from({ length: records }, () => newCase(webhooks))
    const accepted: { subject: string; time: string }[] = []
    let isDown = true
    let count = 0
    one.answer = (response, { body }) => {
      if (isDown) return void response.destroy()
      if (++count % 5 === 0) return void response.writeHead(500).end()
      accepted.push({ subject: String(body.data.Issue?.id), time: body.timestamp })
      response.writeHead(204).end()
    }
    const sent: { subject: string; time: string }[] = []
    for (let i = 0; i < each; i++) {
      const time = new Date(Date.UTC(2026, 0, 1, 0, 0, i))
      sent.push(...cases.map((id) => ({ subject: String(id), time: time.toISOString() })))
      await Promise.all(cases.map((id) => webhooks.publishCase(office, id, 'changed', { time })))
      if (i === 5) isDown = false
    }
    const ofSubject = (events: typeof sent, subject: string) => [
      ...new Set(events.filter((event) => event.subject === subject).map(({ time }) => time)),
    ]
    await eventually(
      async () => {
        await endPauses(webhooks)
        expect(new Set(accepted.map(({ subject, time }) => subject + time)).size).toBe(sent.length)
      },
      { timeoutMs: 60_000, everyMs: 200 },
    )
    for (const id of cases) expect(ofSubject(accepted, String(id))).toEqual(ofSubject(sent, String(id)))
  }, 90_000)
})

describe('a receiver that hangs', () => {
  it('delays no other webhook, also of its own office', async () => {
    const http = webhooks.asExpert(office.expert)
    one.answer = other.answer = (response) => void response.writeHead(204).end()
    let answered = 0
    hanging.answer = (response) => void response.on('close', () => answered++)
    for (const { url } of [hanging, one]) await newWebhook(http, { url })
    const elsewhere = webhooks.office()
    await newWebhook(webhooks.asExpert(elsewhere.expert), { url: other.url })
    await webhooks.publishCase(office, newCase(webhooks))
    await untilReceived(hanging, 1)
    for (let i = 0; i < 50; i++) {
      await webhooks.publishCase(office, newCase(webhooks))
      await webhooks.publishCase(elsewhere, newCase(webhooks))
    }
    await untilReceived(one, 51, 4000)
    await untilReceived(other, 50, 4000)
    expect(answered).toBe(0)
  })
})
