import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { type Receiver, receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { rowsOf } from '../support/databases.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

/** `CHAOS=long` uses the numbers of the acceptance test. */
const { kills, cases, changes, downMs } =
  process.env.CHAOS === 'long'
    ? { kills: 10, cases: 100, changes: 100, downMs: 60_000 }
    : { kills: 2, cases: 10, changes: 20, downMs: 2_000 }
const writers = 4

const { home, remove } = temporaryHome()
let ports: Record<string, string> = {}
let there: Receiver
let launcher: Launcher
let expert: SignedIn

async function start(): Promise<void> {
  launcher = launch(home, { ...ports, GATEWAY_REQUESTS_PER_MINUTE: '1000000', OUTBOUND_PRIVATE_HOSTS: there.host })
  const demo = await launcher.ready()
  ports = { HTTP_PORT: new URL(demo.base_url).port, CLIENT_HTTP_PORT: new URL(demo.client_base_url).port }
  expert = await signInAs(demo, 'expert')
}
beforeAll(async () => {
  there = await receiver()
  await start()
}, 60_000)
afterAll(async () => {
  await launcher?.stop()
  await there?.stop()
  remove()
}, 60_000)

/** Deliveries in the order in which the receiver first accepted them. */
const accepted = new Map<string, { subject: string; at: number }>()
let isDown = false

function listen(): void {
  there.answer = (response, { headers, body }) => {
    if (isDown) return void response.destroy()
    if (Math.random() < 0.2) return void response.writeHead(500).end()
    const id = String(headers['webhook-id'])
    if (!accepted.has(id)) accepted.set(id, { subject: String(body.data.Issue?.id), at: Date.parse(body.timestamp) })
    response.writeHead(204).end()
  }
}

let acknowledged = 0
let tried = 0

/**
 * Changes cases until all changes are made or the platform is down; the changes of one case are sequential, so that their times give their order.
 * @returns the remaining changes
 */
async function changeUntilGone(left: readonly number[]): Promise<number[]> {
  const shares = [...Map.groupBy(left, (id) => id % writers).values()]
  await Promise.all(shares.map(changeInTurn))
  return shares.flat()
}

async function changeInTurn(left: number[]): Promise<void> {
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    // Always a new subject, because an unchanged one would publish nothing.
    const answer = await expert.api.put(`/issue/${id}`, { Issue: { subject: `Change ${++tried}` } }).catch(() => undefined)
    if (answer?.status === 200) acknowledged++
    else left.push(id)
    if (!answer) return
  }
}

interface Stored {
  readonly id: string
  readonly status: string
}

const deliveries = () =>
  rowsOf<Stored>(
    home,
    'partner',
    "SELECT event_id || '_' || webhook_id AS id, status FROM webhook_deliveries ORDER BY webhook_deliveries.id",
  )

/** Ends the retry pauses, which grow up to an hour. */
async function goOn(): Promise<void> {
  await rowsOf(home, 'partner', "UPDATE webhook_deliveries SET next_try = now() WHERE status = 'pending' AND next_try > now()")
  await rowsOf(home, 'partner', 'UPDATE webhooks SET paused_until = NULL WHERE paused_until > now()')
  await rowsOf(home, 'partner', "UPDATE kit.job SET run_at = now(), due = now() WHERE name = 'webhook-sending' AND state = 'waiting'")
}

describe(`a platform that is killed ${kills} times while it sends to a receiver that refuses a fifth and is down for a while`, () => {
  beforeAll(async () => {
    listen()
    await expert.api.post('/webhook', { Webhook: { url: there.url, events: ['issue.updated'] } })
    const ids: number[] = []
    while (ids.length < cases) ids.push((await expert.api.post<{ id: number }>('/issue', { Issue: { subject: 'A case' } })).body.id)
    const left = Array.from({ length: changes }, () => ids).flat()
    for (let killed = 0; killed <= kills; killed++) {
      const most = Math.ceil((cases * changes) / (kills + 1))
      const share = left.splice(-most)
      const writing = changeUntilGone(share)
      if (killed < kills) {
        await pause(300 + Math.random() * 1_000)
        await launcher.kill()
      }
      left.push(...(await writing))
      if (killed < kills) await start()
      if (killed === 0) {
        isDown = true
        setTimeout(() => {
          isDown = false
        }, downMs)
      }
    }
    expect(await changeUntilGone(left)).toEqual([])
    await eventually(
      async () => {
        await goOn()
        const stored = await deliveries()
        expect(stored.length).toBeGreaterThanOrEqual(cases * changes)
        expect(stored.filter(({ status }) => status !== 'delivered')).toEqual([])
      },
      { timeoutMs: 60_000 + cases * changes * 30 + downMs, everyMs: 500 },
    )
  }, 540_000)

  it('has delivered every change that it acknowledged', async () => {
    const stored = await deliveries()
    expect(acknowledged).toBe(cases * changes)
    expect(stored.filter(({ id }) => !accepted.has(id))).toEqual([])
  })

  it('has delivered the changes of each case in their order', () => {
    const bySubject = Map.groupBy(accepted.values(), ({ subject }) => subject)
    expect(bySubject.size).toBe(cases)
    for (const of of bySubject.values()) expect(of.map(({ at }) => at)).toEqual(of.map(({ at }) => at).toSorted((a, b) => a - b))
  })
})
