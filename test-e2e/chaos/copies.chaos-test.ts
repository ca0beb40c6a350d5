import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { eventStream, eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { rowsOf } from '../support/databases.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { repository } from '../support/platform.js'
import { type DistributedPlatform, startDistributed } from './support/distributed.js'
import { fireAt, tally } from './support/load.js'
import { expectSettled } from './support/truth.js'

let distributed: DistributedPlatform
let expert: SignedIn

beforeAll(async () => {
  distributed = await startDistributed(2)
  expert = await signInAs(distributed.demo, 'expert')
}, 240_000)
afterAll(() => distributed?.stop(), 60_000)

const caseway = async (...args: string[]) => {
  const env = { ...process.env, CASEWAY_HOME: distributed.home }
  return promisify(execFile)(process.execPath, ['deploy/caseway/caseway.mjs', ...args], { cwd: repository, env })
}

describe('several copies of each service', () => {
  it('send every change to every live stream, whichever copy serves it', async () => {
    const streams = await Promise.all(
      Array.from({ length: 6 }, () => eventStream(`${distributed.demo.base_url}/rest/event/stream`, expert.token)),
    )
    for (let round = 0; round < 4; round++) {
      const subject = randomUUID()
      expect((await expert.api.post('/issue', { Issue: { subject } })).status).toBe(201)
      await Promise.all(streams.map((stream) => stream.next(({ event, data }) => event === 'issue' && data.includes(subject))))
    }
    await Promise.all(streams.map((stream) => stream.close()))
  })

  it('have enough connections to PostgreSQL if all their pools are full', async () => {
    const sql = `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`
    const [limit] = await rowsOf<{ most: number }>(distributed.home, 'auth', sql)
    expect(limit?.most).toBeGreaterThanOrEqual(2 * (5 * 12 + 2 * 14))
  })

  it('all learn that a session has ended', async () => {
    const leaving = await signInAs(distributed.demo, 'trainee')
    expect((await leaving.api.delete('/token')).status).toBe(200)
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => leaving.api.get('/counter')))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(401))
    })
  })

  it('count failed sign-ins together', async () => {
    const account = distributed.demo.offices[1]?.accounts.specialist
    const guess = (password: string) =>
      expert.api.as(undefined).post('/token', {
        ...{ grant_type: 'password', client_id: distributed.demo.client_id, username: account?.username, password },
      })
    for (let i = 0; i < 10; i++) expect((await guess(`guess ${i}`)).status).toBe(400)
    expect((await guess('guess 11')).status).toBe(429)
  })

  it('accept a new signing key without a single 401', async () => {
    const load = fireAt(50, async (number) => {
      if (number % 25 > 0) return expert.api.get('/counter')
      const fresh = await signInAs(distributed.demo, 'administrator')
      return fresh.api.get('/counter')
    })
    for (let i = 0; i < 2; i++) {
      await caseway('key', 'rotate', '--json')
      await pause(1_000)
    }
    const shots = await load.stop()
    expect(tally(shots)).toEqual({ 200: shots.length })
  })

  it('go on publishing when the leader is gone', async () => {
    const admin = await signInAs(distributed.demo, 'administrator')
    for (const name of ['auth-1', 'auth-2']) {
      process.kill(distributed.pidOf(name), 'SIGKILL')
      const User = { email: `${randomUUID()}@office.example`, firstname: 'New', lastname: 'Colleague' }
      // The copy that was killed before may still be starting.
      await eventually(async () => expect((await admin.api.post('/user', { User })).status).toBe(201), { timeoutMs: 30_000 })
      await expectSettled(distributed.home)
      await eventually(() => expect(distributed.pidOf(name)).toEqual(expect.any(Number)), { timeoutMs: 20_000 })
      await pause(3_000)
    }
  })
})
