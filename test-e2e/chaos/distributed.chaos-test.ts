import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { serviceNames } from '@caseway/registry'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { rowsOf } from '../support/databases.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { type DistributedPlatform, startDistributed } from './support/distributed.js'
import { fireAt, p99, type Shot, slowest, tally } from './support/load.js'
import { casesLike, expectCounted, expectSettled } from './support/truth.js'

/** `CHAOS=long` uses the times and numbers of the acceptance test; the default takes a few minutes. */
const long = process.env.CHAOS === 'long'
const kills = long ? 20 : 1
const killedCopies = long ? [1, 2] : [1]
const writesPerSecond = long ? 100 : 25
const writesInOutages = long ? 50 : 25
const outageMs = long ? 60_000 : 8_000
// On two cores the starting processes leave little CPU for requests; a higher rate would test overload.
const rolling = long ? { perSecond: 200, least: 20_000 } : { perSecond: 50, least: 1_000 }

let distributed: DistributedPlatform
let expert: SignedIn
let trainee: SignedIn
const report: Record<string, unknown> = {}

beforeAll(async () => {
  distributed = await startDistributed(2)
  expert = await signInAs(distributed.demo, 'expert')
  trainee = await signInAs(distributed.demo, 'trainee')
}, 240_000)
afterAll(async () => {
  console.log(JSON.stringify(report, null, 1))
  await distributed?.stop()
}, 60_000)

/** Opens cases with distinct subjects, each with an idempotency key, so that it can be repeated. */
function writer() {
  const prefix = randomUUID()
  const write = (number: number) => {
    const Issue = { subject: `${prefix} ${number}`, user_id: number % 2 ? trainee.id : null }
    return expert.api.post('/issue', { Issue }, { 'idempotency-key': `${prefix}-${number}` })
  }
  return { prefix, write }
}

const isCreated = ({ status }: Shot) => status === 201

/** Repeats unanswered requests until they are answered; then each case must exist once. */
async function completeAndCheck({ prefix, write }: ReturnType<typeof writer>, shots: readonly Shot[]): Promise<void> {
  const left = [...shots.entries()]
  const complete = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [number, shot] = next
      const again = await eventually(async () => expectCreated(await write(number)), { timeoutMs: 30_000, everyMs: 500 })
      if (isCreated(shot)) expect(again).toBe(shot.text)
    }
  }
  await Promise.all(Array.from({ length: 10 }, complete))
  const there = await casesLike(distributed.home, prefix)
  expect(there.size).toBe(shots.length)
  expect([...there.values()].every((times) => times === 1)).toBe(true)
}

function expectCreated({ status, text }: { status: number; text: string }): string {
  if (status !== 201) throw new Error(`It was answered with ${status}: ${text}`)
  return text
}

describe.each([...serviceNames, 'gateway'].flatMap((name) => killedCopies.map((copy) => `${name}-${copy}`)))(
  '%s, killed under writes',
  (name) => {
    it('takes nothing with it', async () => {
      const work = writer()
      const load = fireAt(writesPerSecond, work.write)
      for (let i = 0; i < kills; i++) {
        await pause(randomInt(200, 1_000))
        await distributed.replace(name, 'SIGKILL')
      }
      const shots = await load.stop()
      report[`killed ${name}`] = tally(shots)
      await completeAndCheck(work, shots)
      await expectCounted([expert, trainee])
      await expectSettled(distributed.home)
    })
  },
)

describe('a broker', () => {
  const stopped = () => distributed.keepAway('kafka', outageMs)
  const hung = async () => {
    const pid = distributed.pidOf('kafka')
    process.kill(pid, 'SIGSTOP')
    await pause(outageMs)
    process.kill(pid, 'SIGCONT')
  }
  it.each([
    ['that is stopped', stopped],
    ['that hangs', hung],
  ])('%s is noticed by nobody who calls', async (what, away) => {
    const work = writer()
    const load = fireAt(writesInOutages, work.write)
    const admin = await signInAs(distributed.demo, 'administrator')
    const colleague = { email: `${work.prefix}@office.example`, firstname: 'New', lastname: 'Colleague' }
    const outage = away()
    expect((await admin.api.post('/user', { User: colleague })).status).toBe(201)
    await outage
    const endedAt = Date.now()
    const shots = await load.stop()
    expect(tally(shots)).toEqual({ 201: shots.length })
    await expectSettled(distributed.home, 60_000)
    report[`broker ${what}`] = { requests: shots.length, caughtUpMs: Date.now() - endedAt, p99: p99(shots) }
  })
})

describe('a database', () => {
  it('that is restarted under load causes 503 for a while, and no duplicates', async () => {
    const work = writer()
    const load = fireAt(writesInOutages, work.write)
    await pause(500)
    const killedAt = Date.now()
    await distributed.replace('postgres', 'SIGKILL')
    await eventually(async () => expect((await expert.api.get('/counter')).status).toBe(200), { timeoutMs: 20_000, everyMs: 100 })
    const backMs = Date.now() - killedAt
    await pause(1_000)
    const shots = await load.stop()
    report['database restarted'] = { ...tally(shots), backMs, slowest: slowest(shots) }
    expect(Object.keys(tally(shots)).filter((status) => status !== '201' && status !== '503')).toEqual([])
    // A request whose commit was under way must not be repeated blindly, so it has no Retry-After.
    const unknown = ({ text }: Shot) => text.includes('OUTCOME_UNKNOWN')
    expect(shots.filter((shot) => shot.status === 503 && shot.retryAfter === null && !unknown(shot))).toEqual([])
    expect(slowest(shots)).toBeLessThan(10_000)
    await completeAndCheck(work, shots)
    await expectCounted([expert, trainee])
    await expectSettled(distributed.home)
  })
})

describe('a service that hangs', () => {
  it('is 504 for its paths, and the others go on', async () => {
    const names = ['auth-1', 'auth-2']
    const before = fireAt(50, () => expert.api.get('/counter'))
    await pause(6_000)
    const usual = p99(await before.stop())
    for (const name of names) process.kill(distributed.pidOf(name), 'SIGSTOP')
    const hung = fireAt(5, () => expert.api.get('/user'))
    const others = fireAt(50, () => expert.api.get('/counter'))
    await pause(6_000)
    const [ofAuth, ofCases] = await Promise.all([hung.stop(), others.stop()])
    for (const name of names) process.kill(distributed.pidOf(name), 'SIGCONT')
    report['auth hangs'] = { auth: tally(ofAuth), slowest: slowest(ofAuth), others: tally(ofCases), p99: p99(ofCases), usual }
    expect(tally(ofAuth)).toEqual({ 504: ofAuth.length })
    expect(slowest(ofAuth)).toBeLessThan(10_000)
    expect(tally(ofCases)).toEqual({ 200: ofCases.length })
    // Less than half of what callers of the hung service wait; the report has both figures.
    expect(p99(ofCases)).toBeLessThan(2_000)
    await eventually(async () => expect((await expert.api.get('/user')).status).toBe(200), { timeoutMs: 20_000 })
  })
})

describe('a rolling restart of every process', () => {
  it('fails nobody', async () => {
    const work = writer()
    const load = fireAt(rolling.perSecond, (number) => (number % 2 ? work.write(number) : expert.api.get('/tag')))
    const names = distributed.names().filter((name) => !['kafka', 'postgres'].includes(name))
    for (const name of names) {
      await distributed.replace(name, 'SIGTERM')
      await pause(1_500)
    }
    await eventually(() => expect(load.count()).toBeGreaterThan(rolling.least), { timeoutMs: 300_000, everyMs: 500 })
    const shots = await load.stop()
    report['rolling restart'] = { ...tally(shots), p99: p99(shots), slowest: slowest(shots) }
    expect(shots.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
    await expectCounted([expert, trainee])
    await expectSettled(distributed.home)
    expect(await rowsOf(distributed.home, 'auth', 'SELECT FROM kit.dead_letter')).toEqual([])
  })
})
