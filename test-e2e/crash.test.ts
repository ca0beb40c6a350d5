import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type EmployeeRole, employees } from '@caseway/kit/caller'
import { registry, serviceNames } from '@caseway/registry'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { allCases, countersOf, recount } from './support/cases.js'
import { rowsOf } from './support/databases.js'
import { type SignedIn, signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import { type Attempt, send, type Write, writeUntilGone } from './support/writer.js'

const rounds = Number(process.env.CRASH_ROUNDS ?? 3)

const { home, remove } = temporaryHome()
let launcher: Launcher
let ports: Record<string, string> = {}
let people: Record<EmployeeRole, SignedIn>

async function start(): Promise<void> {
  launcher = launch(home, ports)
  const demo = await launcher.ready()
  ports = { HTTP_PORT: new URL(demo.base_url).port, CLIENT_HTTP_PORT: new URL(demo.client_base_url).port }
  people = Object.fromEntries(await Promise.all(employees.map(async (role) => [role, await signInAs(demo, role)])))
}

beforeAll(start)
afterAll(async () => {
  await launcher?.stop()
  remove()
})

/** Several concurrent writers: cases with and without an owner, tags, and new colleagues. */
function writers(onAnswer: () => void): Promise<Attempt[]>[] {
  const anybody = () => people[employees[randomInt(employees.length)] ?? 'expert'].id
  const newCase = (subject: string) => ({ path: '/issue', body: { Issue: { subject, user_id: [null, anybody()][randomInt(2)] } } })
  const newTag = (name: string) => ({ path: '/tag', body: { Tag: { name } } })
  const newColleague = (name: string) => {
    const User = { email: `${name}@office.example`, firstname: name, lastname: 'Colleague' }
    return { path: '/user', body: { User } }
  }
  const write = (by: EmployeeRole, next: (name: string) => Omit<Write, 'key'>) =>
    writeUntilGone({ by, api: people[by].api, next, onAnswer })
  return [
    ...employees.map((by) => write(by, newCase)),
    write('specialist', newTag),
    write('trainee', newTag),
    write('administrator', newColleague),
  ]
}

/** The number of occurrences of each name. */
async function occurrences(service: string, sql: string): Promise<Map<string, number>> {
  const rows = await rowsOf<{ name: string; times: number }>(home, service, sql)
  return new Map(rows.map(({ name, times }) => [name, times]))
}

const counted = (table: string, column: string) => `SELECT ${column} AS name, count(*)::int AS times FROM ${table} GROUP BY ${column}`

describe.each(Array.from({ length: rounds }, (_, round) => round + 1))('a platform that is killed under writes, time %i', () => {
  let attempts: Attempt[]

  beforeAll(async () => {
    const answered = Promise.withResolvers<void>()
    const writing = writers(answered.resolve)
    await answered.promise
    await pause(randomInt(1500))
    await launcher.kill()
    attempts = (await Promise.all(writing)).flat()
    await start()
  })

  it('has answered nothing but success', () => {
    const answers = attempts.flatMap(({ answer }) => answer ?? [])
    expect(answers.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
  })

  it('answers every repeated write as before, and an unanswered one once and for all', async () => {
    for (const { by, write, answer } of attempts) {
      const again = await send(people[by].api, write)
      expect(again).toEqual(answer ?? (await send(people[by].api, write)))
    }
  })

  it('has each of them once', async () => {
    const there = new Map([
      ...(await occurrences(registry.casesAndCounters.name, counted('issues', 'subject'))),
      ...(await occurrences(registry.casesAndCounters.name, counted('tags', 'name'))),
      ...(await occurrences('auth', counted('users', 'firstname'))),
    ])
    expect(attempts.filter(({ write }) => there.get(write.key) !== 1)).toEqual([])
  })

  it('has counters that equal a recount', async () => {
    const cases = await allCases(people.expert.api)
    for (const { id, api } of Object.values(people)) expect(await countersOf(api)).toEqual(recount(cases, id))
  })

  it('has lost no event', async () => {
    await eventually(async () => {
      for (const service of serviceNames) {
        expect(await rowsOf(home, service, 'SELECT topic FROM kit.outbox WHERE published_at IS NULL')).toEqual([])
        expect(await rowsOf(home, service, 'SELECT topic FROM kit.dead_letter')).toEqual([])
      }
      const colleagues = (service: string) => rowsOf<{ id: string }>(home, service, 'SELECT id FROM users ORDER BY id')
      expect(await colleagues(registry.casesAndCounters.name)).toEqual(await colleagues('auth'))
    })
  })
})
