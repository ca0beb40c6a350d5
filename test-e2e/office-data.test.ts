import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@caseway/registry'
import { eventually, type HttpClient } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { caseway } from '../deploy/caseway/test/support/installation.js'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { rowsOf } from './support/databases.js'
import { officeRecords } from './support/demo-records.js'
import { filesBelow, officeFolder } from './support/office-folder.js'
import { operations } from './support/openapi.js'
import { administratorOf } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let platform: TestPlatform
let launcher: Launcher
let demo: Demo
let others: HttpClient
let office = ''

/** A text that only the records of the second office contain. */
const canary = 'Sample'

beforeAll(async () => {
  platform = await testPlatform()
  launcher = launch(home, platform.variables)
  demo = await launcher.ready()
  office = demo.offices[1]?.customer_id ?? ''
  others = await administratorOf(demo, 0)
  const records = await officeRecords(demo, 1, platform, home)
  const listed = (await operations(records.api)).filter(({ method, path }) => method === 'GET' && path.includes('{id}'))
  for (const path of new Set(listed.map(({ path }) => path.split('/{id}')[0] ?? ''))) if (path !== '/report') await records.one(path)
})
afterAll(async () => {
  await launcher?.stop()
  await platform?.stop()
  remove()
})

const nobodys = '9007199254740991'

/** Rows for authentication, and internal ones of the services, which are not exported. */
const notExported = [
  ...['auth: sessions', 'auth: refresh_tokens', 'auth: mailed_links', 'mail: employee_addresses'],
  ...['cases-and-counters: feeds', 'cases-and-counters: counter_checks'],
]

const operator = (...argv: string[]) => caseway({ ...process.env, CASEWAY_HOME: home }, 'office', ...argv, '--json')
const ask = async (...argv: string[]) => JSON.parse((await operator(...argv)).out)

const tablesOf = (service: string) =>
  rowsOf<{ name: string }>(
    home,
    service,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'kit') ORDER BY 1`,
  )

/** The places with texts or e-mail addresses of the office: tables of all services, and files. */
async function places(): Promise<string[]> {
  const people = Object.values(demo.offices[1]?.accounts ?? {}).map(({ username }) => username)
  const words = [canary, canary.toLowerCase(), ...people]
  const patterns = [...words, ...words.map((word) => Buffer.from(word).toString('hex'))].map((word) => `'%${word}%'`).join(', ')
  const found: string[] = []
  for (const service of serviceNames) {
    for (const { name } of await tablesOf(service)) {
      const rows = await rowsOf(home, service, `SELECT FROM ${name} AS kept WHERE kept::text LIKE ANY (ARRAY[${patterns}]) LIMIT 1`)
      if (rows.length > 0) found.push(`${service}: ${name}`)
    }
  }
  return [...found, ...blobs().filter((path) => readFileSync(path).includes(canary))]
}

const folders = ['files', 'mail'] as const
const blobs = () => folders.flatMap((folder) => filesBelow(join(home, folder)))

/** The numbers of rows of the other office, by table. */
async function rowsOfOthers() {
  const { tables } = await ask('data', '--office', demo.offices[0]?.customer_id ?? '')
  return Object.fromEntries(tables.map(({ service, table, rows }: Record<string, unknown>) => [`${service}: ${table}`, rows]))
}

const status = async (index: number) => {
  const { username, password } = demo.offices[index]?.accounts.expert ?? { username: '', password: '' }
  const signIn = { grant_type: 'password', client_id: demo.client_id, username, password }
  const answer = await fetch(`${demo.base_url}/rest/token`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(signIn) },
  })
  return answer.status
}

const destination = join(home, 'export')
const { text: exported, lines: linesOf, tables: exportedTables } = officeFolder(destination)
const exports = () => ask('export', '--office', office, '--to', destination)
describe('the export of an office', () => {
  it('has every row that the office has in every service, and no row of another', async () => {
    const { tables } = await ask('data', '--office', office)
    await exports()
    const written = Object.fromEntries(exportedTables().map(({ service, table, lines }) => [`${service}: ${table}`, lines.length]))
    const rowsOf = ({ service, table, rows }: Record<string, unknown>) => [`${service}: ${table}`, rows]
    const expected = Object.fromEntries(tables.map(rowsOf).filter(([name]: string[]) => !notExported.includes(String(name))))
    // The office also reads the client who is linked with both.
    expect(written).toMatchObject({ ...expected, 'auth: clients': expected['auth: clients'] + 1 })
    for (const { service, table, lines } of exportedTables()) {
      const strangers = lines.filter(({ customer_id }) => customer_id !== undefined && String(customer_id) !== office)
      expect({ service, table, strangers }).toEqual({ service, table, strangers: [] })
    }
  })

  it('has the bytes of its files and messages, and lists everything with its hash', async () => {
    const listed = linesOf('manifest.ndjson')
    for (const { path, bytes, sha256 } of listed) {
      const content = readFileSync(join(destination, String(path)))
      expect({ path, bytes, sha256 }).toEqual({ path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    }
    const paths = listed.map(({ path }) => String(path))
    const there = filesBelow(destination).map((path) => path.slice(destination.length + 1))
    expect(paths.toSorted()).toEqual(there.filter((path) => path !== 'manifest.ndjson').toSorted())
    const keys = linesOf('files/common_files.ndjson').map(({ blob_key }) => `files/blobs/${blob_key}`)
    expect(keys.length).toBeGreaterThan(0)
    expect(paths).toEqual(expect.arrayContaining(keys))
    for (const path of keys) expect(exported(path)).toContain(canary)
  })

  it('has no credentials, and nothing that only the installation can decrypt', () => {
    const keys = new Set(exportedTables().flatMap(({ lines }) => lines.flatMap(Object.keys)))
    expect(keys.size).toBeGreaterThan(200)
    const harmless = ['password_expired', 'previous_secret_until', 'oauth_provider']
    expect([...keys].filter((key) => /password|secret|token|verifier|oauth|sealed|code_hash/.test(key) && !harmless.includes(key))).toEqual(
      [],
    )
  })

  it('is resumed where it was interrupted', async () => {
    const unfinished = ['manifest.ndjson', 'mail/mail_templates.ndjson']
    const kept = filesBelow(destination).filter((path) => !unfinished.some((name) => path.endsWith(name)))
    const before = exported('mail/mail_templates.ndjson')
    const times = () => kept.map((path) => statSync(path).mtimeMs)
    const written = times()
    for (const name of unfinished) rmSync(join(destination, name))
    writeFileSync(join(destination, 'mail/mail_templates.ndjson.part'), before.slice(0, 10))
    await exports()
    expect(exported('mail/mail_templates.ndjson')).toBe(before)
    expect(times()).toEqual(written)
    expect(filesBelow(destination).filter((path) => path.endsWith('.part'))).toEqual([])
  })

  it('refuses a folder with another export', async () => {
    expect(await operator('export', '--office', office, '--to', destination)).toMatchObject({
      ...{ code: 1, err: 'The folder already contains a complete export: choose another folder.' },
    })
    rmSync(join(destination, 'manifest.ndjson'))
    const other = demo.offices[0]?.customer_id ?? ''
    expect(await operator('export', '--office', other, '--to', destination)).toMatchObject({
      ...{ code: 1, err: `The folder contains an export of office ${office}: choose another folder.` },
    })
    expect(await operator('export', '--office', nobodys, '--to', join(home, 'nobody'))).toMatchObject({
      ...{ code: 1, err: `There is no office ${nobodys}.` },
    })
    rmSync(destination, { recursive: true })
  })
})

describe('an office that is deleted', () => {
  it('is closed at once: its people cannot sign in, and present sessions are refused', async () => {
    const signedIn = await administratorOf(demo, 1)
    expect((await signedIn.get('/tag')).status).toBe(200)
    const { deletes_at } = await ask('delete', '--office', office, '--after-days', '7')
    expect((Date.parse(deletes_at) - Date.now()) / 86_400_000).toBeCloseTo(7, 1)
    expect([await status(0), await status(1)]).toEqual([200, 400])
    await eventually(async () => expect((await signedIn.get('/tag')).status).toBe(401))
    expect(await ask('data', '--office', office)).toMatchObject({ state: 'closed', deletes_at })
  })

  it('can be opened again unchanged until the deletion is due', async () => {
    await ask('reopen', '--office', office)
    expect(await status(1)).toBe(200)
    expect(await ask('data', '--office', office)).toMatchObject({ state: 'open', deletes_at: null })
  })

  it('leaves nothing behind, in no table of any service and in no file', async () => {
    const [before, ofOthers] = [await places(), await rowsOfOthers()]
    expect(before.length).toBeGreaterThan(30)
    await ask('delete', '--office', office)
    await rowsOf(home, 'auth', `UPDATE customers SET deletes_at = now() WHERE id = ${office}`)
    await due('auth', 'office-deletion')
    await eventually(async () => expect(await ask('data', '--office', office)).toMatchObject({ state: 'deleted', name: '', tables: [] }), {
      timeoutMs: 30_000,
    })
    await sweepBlobs()
    await eventually(async () => expect(await places()).toEqual([]), { timeoutMs: 30_000 })
    // The client who was linked with both offices is now linked with this one only.
    expect(await rowsOfOthers()).toMatchObject({ ...ofOthers, 'auth: clients': 2 })
    expect((await others.get('/issue')).status).toBe(200)
    const trail = await rowsOf(home, 'auth', `SELECT customer_id FROM audit_events WHERE kind = 'office.deleted'`)
    expect(trail).toEqual([{ customer_id: null }])
  })

  it('cannot be changed or opened', async () => {
    for (const argv of [['reopen'], ['delete'], ['change', '--city', 'Kraków']]) {
      expect(await operator(...argv, '--office', office)).toMatchObject({ code: 1, err: `There is no office ${office}.` })
    }
  })

  it('is deleted once more after the topics have forgotten it', async () => {
    for (const service of serviceNames) {
      const waiting = `SELECT run_at - created > interval '7 days' AS late FROM kit.job WHERE name = 'office-erasure' AND state = 'waiting'`
      expect({ service, waiting: await rowsOf(home, service, waiting) }).toEqual({ service, waiting: [{ late: true }] })
    }
  })
})

/** Makes a schedule tick now. */
const due = (service: string, schedule: string) =>
  rowsOf(home, service, `UPDATE kit.schedule SET next = now() WHERE name = '${schedule}' RETURNING name`)

/** Runs the sweep as if no upload could be under way any more. */
async function sweepBlobs(): Promise<void> {
  const yesterday = new Date(Date.now() - 86_400_000)
  for (const path of blobs()) utimesSync(path, yesterday, yesterday)
  for (const service of folders) expect(await due(service, 'sweep')).toEqual([{ name: 'sweep' }])
}
