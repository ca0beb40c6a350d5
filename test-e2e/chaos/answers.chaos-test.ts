import { setTimeout as pause } from 'node:timers/promises'
import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { type Answers, answerTo, fromElsewhere, newWidget, publishPoll } from '../../services/polls-and-widgets/test/support/polls.js'
import { countsIn, type PollResults, recount } from '../../services/polls-and-widgets/test/support/recount.js'
import { rowsOf } from '../support/databases.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

/** `CHAOS=long` uses the numbers of the acceptance test. */
const kills = process.env.CHAOS === 'long' ? 20 : 3
const senders = 8

const { home, remove } = temporaryHome()
let ports: Record<string, string> = {}
let launcher: Launcher
let demo: Demo
let expert: SignedIn

async function start(): Promise<void> {
  // Each sender has an address of its own, behind a proxy.
  launcher = launch(home, { ...ports, GATEWAY_REQUESTS_PER_MINUTE: '1000000', GATEWAY_TRUSTED_PROXIES: '1' })
  demo = await launcher.ready()
  ports = { HTTP_PORT: new URL(demo.base_url).port, CLIENT_HTTP_PORT: new URL(demo.client_base_url).port }
  expert = await signInAs(demo, 'expert')
}
beforeAll(start)
afterAll(async () => {
  await launcher?.stop()
  remove()
})

/** The ids of answers that were acknowledged with 201. */
const acknowledged: number[] = []
let sent = 0
const random = (count: number) => Math.floor(Math.random() * count)

/** Sends answers to the polls in turn until the platform is down. */
async function saveUntilGone(pollIds: readonly string[]): Promise<void> {
  const visitor = httpClient(demo.client_base_url)
  for (;;) {
    const answers: Answers = { helped: ['Yes', 'No'][random(2)] ?? 'Yes', withWhat: ['Tax', 'Pay'].slice(random(3)), how: random(5) + 1 }
    const body = answerTo(pollIds[sent++ % pollIds.length] ?? '', answers)
    const answer = await visitor.post<{ id: number }>('/poll_answers/save', body, fromElsewhere()).catch(() => undefined)
    if (!answer) return
    if (answer.status === 201) acknowledged.push(answer.body.id)
    else expect([429, 503]).toContain(answer.status)
  }
}

describe(`a platform that is killed ${kills} times under answers to a poll`, () => {
  let poll: number

  beforeAll(async () => {
    // One poll in several widgets, because the limit of a single widget would allow few answers.
    const customerId = demo.offices[0]?.customer_id
    const widgets = await Promise.all(Array.from({ length: 10 }, () => newWidget(expert.api)))
    const pollIds = widgets.map(({ external_hash }) => `${customerId}-${external_hash}`)
    poll = await publishPoll(expert.api)
    for (let killed = 0; killed < kills; killed++) {
      const saves = Array.from({ length: senders }, () => saveUntilGone(pollIds))
      await pause(300 + random(1_000))
      await launcher.kill()
      await Promise.all(saves)
      await start()
    }
  }, 60_000 * kills)

  it('has every answer that it acknowledged once', async () => {
    expect(acknowledged.length).toBeGreaterThan(kills)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    const stored = await rowsOf<{ id: string }>(home, 'polls-and-widgets', 'SELECT id::text FROM poll_answers')
    const ids = new Set(stored.map(({ id }) => Number(id)))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  })

  it('has results that equal a recount of the answers', async () => {
    const stored = await rowsOf<{ poll_json: string }>(home, 'polls-and-widgets', 'SELECT poll_json FROM poll_answers')
    const { body } = await expert.api.get<{ PollResults: PollResults }>(`/poll/${poll}/results`)
    expect(countsIn(body.PollResults)).toEqual(recount(stored))
  })
})
