import { randomUUID } from 'node:crypto'
import { registry } from '@caseway/registry'
import { eventually } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { type Receiver, receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { canaries, markEachPlace } from './support/canaries.js'
import { connectMailbox, connectToPlatform, tellWebhook } from './support/canaries-of-connections.js'
import { bodiesThatFail, changesThatFail, faults, outages } from './support/canaries-of-failures.js'
import { signInInEveryWay, signInWithSecondFactor, tokensThatFail } from './support/canaries-of-sign-in.js'
import { type Exposed, everythingExposed, keepEvents, leaks, watchedClient } from './support/leaks.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
const birds = canaries()
const { secrets, texts } = birds
const marker = `marker-${randomUUID().slice(0, 8)}`
const refusals: string[] = []
let platform: TestPlatform
let there: Receiver
let launcher: Launcher
let demo: Demo
let exposed: Exposed

beforeAll(async () => {
  platform = await testPlatform(birds.secret('client secret of the platform'))
  there = await receiver()
  launcher = launch(home, {
    ...platform.variables,
    ...platform.mailVariables('127.0.0.1'),
    OUTBOUND_PRIVATE_HOSTS: `${there.host},127.0.0.1`,
    LOG_LEVEL: 'trace',
  })
  demo = await launcher.ready()
  // Earlier output shows the accounts of the demo on purpose.
  const shown = launcher.output().length
  await keepEvents(home)
  const scene = { ...birds, home, demo, platform, receiver: there, marker, experts: watchedClient(demo.base_url, refusals) }
  await markEachPlace(scene)
  const api = await signInInEveryWay(scene)
  await signInWithSecondFactor(scene)
  await tokensThatFail(scene)
  await connectToPlatform(scene, api)
  await connectMailbox(scene)
  await tellWebhook(scene, api)
  await bodiesThatFail(scene, api)
  await changesThatFail(scene, api)
  await faults(scene, api)
  await outages(scene, api)
  await eventually(async () => {
    // `npm start` prints URLs and the links of mails on purpose.
    const output = [
      launcher
        .output()
        .slice(shown)
        .replaceAll(/^Mail to .*$/gm, ''),
    ]
    exposed = { ...(await everythingExposed(home, demo.metrics_url)), answers: refusals, output }
    expect(exposed.log.filter((line) => line.includes(`${marker}-last`)).length).toBeGreaterThan(1)
  })
}, 90_000)
afterAll(async () => {
  await launcher?.stop()
  await platform?.stop()
  await there?.stop()
  remove()
})

describe('the search for leaks', () => {
  it.each(['log', 'log of PostgreSQL', 'events', 'dead letters', 'answers', 'audit trail'] as const)('finds a text in: %s', (place) => {
    expect(leaks({ [place]: exposed[place] }, { marker })).not.toEqual([])
  })

  it('finds a text in the metrics and in the output of the process', () => {
    expect(exposed.metrics.join()).toContain('refresh_token_reuse_total{service="auth"} 1')
    expect(launcher.output()).toContain(demo.base_url)
  })

  it('covers every way in which a request is refused', () => {
    const statuses = new Set(refusals.map((refusal) => Number(refusal.slice(0, 3))))
    expect(statuses).toEqual(new Set([400, 401, 403, 409, 412, 415, 500, 503]))
  })

  it('finds a secret in other encodings', () => {
    const hidden = Buffer.from('Kanarek').toString('base64url')
    expect(leaks({ log: ['nothing', `id=${hidden}`] }, { bird: 'Kanarek' })).toEqual([`bird in log: id=${hidden}`])
  })
})

describe('a secret', () => {
  it('is in no log, answer, event, dead letter or metric', () => {
    expect(Object.keys(secrets).length).toBeGreaterThan(30)
    expect(leaks(exposed, secrets)).toEqual([])
  })
})

describe('what people write', () => {
  it('is in no log, no refusal and no metric', () => {
    const { events: _, 'dead letters': __, ...places } = exposed
    expect(Object.keys(texts).length).toBeGreaterThan(8)
    expect(leaks(places, texts)).toEqual([])
  })
})

describe('a line of the log', () => {
  it('has the ids of request, caller and office', () => {
    const lines = exposed.log.filter((line) => line.includes(`${marker}-last`)).map((line) => JSON.parse(line))
    expect(new Set(lines.map(({ service }) => service))).toEqual(new Set(['gateway', registry.casesAndCounters.name]))
    const { user_id: userId } = demo.offices[0]?.accounts.administrator ?? {}
    const whose = { requestId: `${marker}-last`, userId, role: 'administrator', customerId: demo.offices[0]?.customer_id }
    for (const line of lines) expect(line).toMatchObject(whose)
  })
})
