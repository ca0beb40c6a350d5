import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { employees } from '@caseway/kit/caller'
import { serviceNames } from '@caseway/registry'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { rowsOf } from '../support/databases.js'
import { type SignedIn, signIn, signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'
import { type Board, type Mover, nextMove } from './support/moves.js'
import { seeded } from './support/random.js'
import { expectCounted, expectSettled } from './support/truth.js'
import { figures, strays, watch, wrongNotifications, wrongReports, wrongWaits } from './support/witness.js'

/** `CHAOS=long` uses the numbers of the acceptance test. `CHAOS_SEED` repeats the choices of a run, but not its interleaving. */
const { moves, kills } = process.env.CHAOS === 'long' ? { moves: 10_000, kills: 5 } : { moves: 1_000, kills: 2 }
const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31))

const { home, remove } = temporaryHome()
const noLimits = { GATEWAY_REQUESTS_PER_MINUTE: '1000000', GATEWAY_REQUESTS_AT_ONCE: '10000', LOG_LEVEL: 'warn' }
let ports: Record<string, string> = {}
let launcher: Launcher
let demo: Demo
let people: SignedIn[]

async function start(): Promise<void> {
  launcher = launch(home, { ...noLimits, ...ports })
  demo = await launcher.ready()
  ports = { HTTP_PORT: new URL(demo.base_url).port, CLIENT_HTTP_PORT: new URL(demo.client_base_url).port }
}

/** Six sessions of four employees, and two clients. */
async function callers(): Promise<Mover[]> {
  people = await Promise.all(employees.map((role) => signInAs(demo, role)))
  const again = await Promise.all((['expert', 'trainee'] as const).map((role) => signInAs(demo, role)))
  const clients = await Promise.all(demo.clients.map((client) => signIn(demo.client_base_url, demo.client_id, client)))
  const others = (own: string) => people.flatMap(({ id }) => (id === own ? [] : [id]))
  return [
    ...[...people, ...again].map(({ id, api }) => ({ kind: 'employee', api, others: others(id) }) as const),
    ...clients.map(({ api }) => ({ kind: 'client', api, others: [] }) as const),
  ]
}

/** The errors in the log of the platform, which is deleted with its folder. */
const errorsIn = (home: string) =>
  readFileSync(join(home, 'caseway.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .join('\n')

const answers: Record<string, number> = {}
let made = 0
let killed = 0
let restarted = Promise.resolve()

/** Makes one move after the other. A move that was not answered before a kill is not repeated, because its outcome is unknown. */
async function moveOn(mover: Mover, board: Board, own: number): Promise<void> {
  const random = seeded(seed + own)
  while (made < moves) {
    made++
    const { method, path, body, creates } = nextMove({ random, board, mover })
    const answer = await mover.api.request(method, path, body).catch(() => undefined)
    const status = answer?.status ?? 'none'
    answers[status] = (answers[status] ?? 0) + 1
    if (!answer) await restarted
    else if (answer.status >= 500 && answer.status !== 503)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}\n${errorsIn(home)}`)
    const id = answer?.status === 201 && answer.headers.get('location')?.split('/').at(-1)
    if (creates && id) board[creates].push(id)
  }
}

/** Kills all processes of the platform after every `share` of the moves. */
async function killEvery(share: number): Promise<void> {
  while (killed < kills) {
    await eventually(() => expect(made).toBeGreaterThanOrEqual(share * (killed + 1)), { timeoutMs: 300_000, everyMs: 5 })
    const back = Promise.withResolvers<void>()
    restarted = back.promise
    await launcher.kill()
    await start()
    killed++
    back.resolve()
  }
}

beforeAll(async () => {
  await start()
  await watch(home)
  const [office] = demo.offices
  const things = { issue: [], issue_sentence: [], issue_payment_offer: [], work_time: [], group: [] }
  const board = { office: office?.customer_id ?? '', clients: demo.clients.map(({ user_id }) => user_id), ...things }
  const startedAt = Date.now()
  const movers = await callers()
  await Promise.all([killEvery(Math.floor(moves / (kills + 1))), ...movers.map((mover, index) => moveOn(mover, board, index))])
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(JSON.stringify({ seed, moves: made, killed, answers, seconds, ...(await figures(home)) }))
  await expectSettled(home, 60_000)
}, 900_000)
afterAll(async () => {
  await launcher?.stop()
  remove()
})

describe(`after ${moves} random moves of 8 callers and ${kills} kills (seed ${seed})`, () => {
  it('most moves succeeded, and every kind of record exists', async () => {
    expect((answers[200] ?? 0) + (answers[201] ?? 0)).toBeGreaterThan(moves / 3)
    expect(Object.values(await figures(home)).filter((count) => count === 0)).toEqual([])
  })

  it('counters equal a recount of the cases', () => expectCounted(people))

  it('every notification was sent once, and no other', async () => expect(await wrongNotifications(home)).toEqual([]))

  it('reports equal what was sent and reviewed', async () => expect(await wrongReports(home)).toEqual([]))

  it('cases wait since their first unanswered question', async () => expect(await wrongWaits(home)).toEqual([]))

  // A job that releases the cases of a group goes on after the lease of its killed process, 30 s.
  it('nothing is left of groups that are gone, one offer is chosen, and one timer runs', () =>
    eventually(async () => expect(await strays(home)).toEqual([]), { timeoutMs: 60_000 }))

  it('no event is lost', async () => {
    for (const service of serviceNames) expect(await rowsOf(home, service, 'SELECT error FROM kit.dead_letter')).toEqual([])
  })
})
