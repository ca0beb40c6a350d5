import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { databaseUrlVariable } from '@caseway/registry'
import { eventually, migrationsOf, type TestDatabase, testDatabase } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { migrateToday } from './recorded.js'

const program = fileURLToPath(new URL('../../services/auth/dist/migrate.js', import.meta.url))
const [newest = '', previous = ''] = readdirSync(migrationsOf('auth'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
  .reverse()

/** Starts `node dist/migrate.js --wait` with the role of the service. */
function awaiting(url: string, others: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, [databaseUrlVariable('auth')]: url, ...others }
  const child = spawn(process.execPath, [program, '--wait'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { output: () => output, ended: once(child, 'close').then(([code]) => code as number), stop: () => child.kill() }
}

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name: 'auth', until: previous })
})
afterAll(() => database.drop())

describe('a new version', () => {
  it('waits until its newest migration is applied, and logs which one is missing', async () => {
    const waiting = awaiting(database.url)
    try {
      await eventually(() => expect(waiting.output()).toContain(`Migrations that are not applied yet: ${newest}.`))
      await migrateToday('auth', database)
      expect(await waiting.ended).toBe(0)
      expect(waiting.output()).toMatch(/The database is up to date\.\n$/)
    } finally {
      waiting.stop()
    }
  })

  it('waits for a database that does not answer, and shows no password', async () => {
    const waiting = awaiting('postgresql://auth:secret-of-auth@127.0.0.1:1/auth')
    try {
      await eventually(() => expect(waiting.output()).toContain('ECONNREFUSED'))
      expect(waiting.output()).not.toContain('secret-of-auth')
    } finally {
      waiting.stop()
    }
    expect(await waiting.ended).not.toBe(0)
  })

  it('loads neither Prisma nor HTTP modules meanwhile', async () => {
    const noted = join(mkdtempSync(join(tmpdir(), 'caseway-loaded-')), 'packages')
    const preload = new URL('../support/loaded-modules.mjs', import.meta.url).href
    const waiting = awaiting('postgresql://auth@127.0.0.1:1/auth', { NODE_OPTIONS: `--import=${preload}`, LOADED_MODULES: noted })
    await eventually(() => expect(waiting.output()).toContain('ECONNREFUSED'))
    waiting.stop()
    await waiting.ended
    const loaded = new Set(readFileSync(noted, 'utf8').trim().split('\n'))
    expect(loaded).toContain('pg')
    expect([...loaded].filter((name) => /^(@prisma|kysely|fastify|@grpc|kafkajs|typebox)/.test(name))).toEqual([])
  })

  it('fails without the URL of its database', async () => {
    const waiting = awaiting('')
    expect(await waiting.ended).toBe(1)
    expect(waiting.output()).toContain('AUTH_DATABASE_URL is missing')
  })
})
