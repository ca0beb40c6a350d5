import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IdBlock } from '@caseway/kit/office-data'
import { databaseUrlVariable } from '@caseway/registry'
import { eventually } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { definitions } from '../deploy/caseway/src/definitions.js'
import { localVariables } from '../deploy/caseway/src/local-installation.js'
import { caseway, documentOf } from '../deploy/caseway/test/support/installation.js'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { connectedCase, connectedRecords, sharedClient } from './support/connected-records.js'
import { rowsOf } from './support/databases.js'
import { officeRecords } from './support/demo-records.js'
import { officeFolder } from './support/office-folder.js'
import { renumbered, sorted, without } from './support/office-rows.js'
import { operations } from './support/openapi.js'
import { signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let platform: TestPlatform
let launcher: Launcher
let demo: Demo
let office = ''
let imported = ''
/** The counters before the export. */
let counted: Counters
let passwords: { email: string; hash: string }[]

const [left, back] = [join(home, 'left'), join(home, 'back')]
const [source, result] = [officeFolder(left), officeFolder(back)]

const inHome = { ...process.env, CASEWAY_HOME: home }
const operatorWith = (env: NodeJS.ProcessEnv, ...argv: string[]) => caseway(env, ...argv, '--json')
const operator = (...argv: string[]) => operatorWith(inHome, ...argv)
const ask = async (...argv: string[]) => documentOf(await operator(...argv))
/** The export exits with 1, because a sample refers to bytes that were never stored. */
const exports = async (id: string, to: string) => JSON.parse((await operator('office', 'export', '--office', id, '--to', to)).out)
const imports = () => operator('office', 'import', '--from', left)
const dataOf = (id: string) => ask('office', 'data', '--office', id)

interface Counters {
  Counter: { MailReceivedMysqlMessage: { drafts: number; customFolders: Record<string, number> } }
}
const countersOf = async (role: 'expert') => (await (await signInAs(demo, role, 1)).api.get<Counters>('/counter')).body

beforeAll(async () => {
  platform = await testPlatform()
  launcher = launch(home, platform.variables)
  demo = await launcher.ready()
  office = demo.offices[1]?.customer_id ?? ''
  const records = await officeRecords(demo, 1, platform, home)
  const listed = (await operations(records.api)).filter(({ method, path }) => method === 'GET' && path.includes('{id}'))
  for (const path of new Set(listed.map(({ path }) => path.split('/{id}')[0] ?? ''))) if (path !== '/report') await records.one(path)
  await connectedRecords(demo, home)
  counted = await countersOf('expert')
  passwords = await rowsOf(home, 'auth', `SELECT email::text, password_hash AS hash FROM users WHERE customer_id = ${office}`)
  await ask('office', 'delete', '--office', office)
  await exports(office, left)
  await rowsOf(home, 'auth', `UPDATE customers SET deletes_at = now() WHERE id = ${office}`)
  await rowsOf(home, 'auth', `UPDATE kit.schedule SET next = now() WHERE name = 'office-deletion'`)
  await eventually(async () => expect(await dataOf(office)).toMatchObject({ state: 'deleted', tables: [] }), { timeoutMs: 30_000 })
})
afterAll(async () => {
  await launcher?.stop()
  await platform?.stop()
  remove()
})

const offices = async () =>
  (await rowsOf<{ id: string }>(home, 'auth', 'SELECT id::text FROM customers ORDER BY customers.id')).map(({ id }) => id)
const blocks = async () =>
  (await rowsOf<{ blocks: Record<string, IdBlock> }>(home, 'auth', 'SELECT blocks FROM office_imports'))[0]?.blocks ?? {}

describe('an export that is not as its manifest says', () => {
  it.each([
    ['auth/users.ndjson', 'auth/users.ndjson does not match its size and hash in manifest.ndjson.'],
    ['manifest.ndjson', 'manifest.ndjson has a line that is no JSON object.'],
  ])('is refused, and nothing is written: %s', async (path, err) => {
    const [file, before] = [join(left, path), await offices()]
    const content = readFileSync(file)
    writeFileSync(file, Buffer.concat([content, Buffer.from('{')]))
    expect(await imports()).toMatchObject({ code: 1, err: expect.stringContaining(err) })
    writeFileSync(file, content)
    expect(await offices()).toEqual(before)
  })
})

describe('an office that is imported', () => {
  it('stays closed when the import is interrupted, and the import can be resumed', async () => {
    const variables = localVariables(home)
    const withoutMail = { ...process.env, ...variables, [databaseUrlVariable('mail')]: 'postgresql://mail:x@127.0.0.1:1/mail' }
    // The ids of all services are reserved first, so nothing was written.
    expect(await operatorWith(withoutMail, 'office', 'import', '--from', left)).toMatchObject({ code: 1 })
    expect((await offices()).length).toBe(2)

    await rowsOf(home, 'mail', 'ALTER TABLE mail_folders ADD CONSTRAINT refused CHECK (false) NOT VALID')
    expect(await imports()).toMatchObject({ code: 1 })
    await rowsOf(home, 'mail', 'ALTER TABLE mail_folders DROP CONSTRAINT refused')
    imported = (await offices())[2] ?? ''
    expect(await dataOf(imported)).toMatchObject({ state: 'closed' })

    expect(documentOf(await imports())).toMatchObject({ customer_id: imported })
    expect(await dataOf(imported)).toMatchObject({ state: 'open' })
    expect((await offices()).length).toBe(3)
  })

  it('can be imported only once', async () => {
    expect(await imports()).toMatchObject({ code: 1, err: expect.stringContaining(`as office ${imported}.`) })
  })

  it('has every row of the export, unchanged except for new ids', async () => {
    await exports(imported, back)
    const ids = await blocks()
    const now = new Map(result.tables().map(({ service, table, lines }) => [`${service}.${table}`, lines]))
    for (const { service, table, lines } of source.tables()) {
      const rules = definitions.find(({ name }) => name === service)?.tables[table] ?? []
      if (rules.some(({ kind }) => kind === 'not-imported') || counts.includes(table)) continue
      const expected = lines.map((row) => renumbered(row, rules, { customerId: imported, own: ids[`${service}.${table}`], all: ids }))
      const found = (now.get(`${service}.${table}`) ?? [])
        .filter(({ kind }) => !noted.includes(String(kind)))
        .map((row) => without(row, rules))
      expect({ service, table, rows: sorted(found) }).toEqual({ service, table, rows: sorted(expected) })
    }
  })
})

describe('the answers of an office that is imported', () => {
  it.each([
    ['their poll', 'polls', 'IS NOT NULL'],
    ['their widget where no poll was published', 'chat_widgets', 'IS NULL'],
  ])('name %s', async (_, table, version) => {
    const answers = source
      .lines('polls-and-widgets/poll_answers.ndjson')
      .filter((row) => (row.poll_version === null) === (version === 'IS NULL'))
    const named = `SELECT FROM poll_answers answer JOIN ${table} named ON named.id = answer.poll_id AND named.customer_id = answer.customer_id
      WHERE answer.customer_id = ${imported} AND answer.poll_version ${version}`
    expect(answers).not.toEqual([])
    expect(await rowsOf(home, 'polls-and-widgets', named)).toHaveLength(answers.length)
  })
})

/** Counts that change because queued messages become drafts. */
const counts = ['folder_counts', 'mail_folder_counts']
/** Audit events of the import itself. */
const noted = ['office.imported', 'office.reopened']

describe('the people of an office that is imported', () => {
  it('are invited to choose a password', async () => {
    const active = source.lines('auth/users.ndjson').filter(({ active }) => active).length
    const links = source.lines('auth/client_links.ndjson').filter(({ state, banned }) => state !== 'ended' && !banned).length
    const accountMailJobs = `SELECT payload FROM kit.job WHERE name = 'auth.account-mail' AND payload ->> 'customerId' = '${imported}'`
    expect((await rowsOf(home, 'auth', accountMailJobs)).length).toBe(active + links)
  })

  it('find their cases, with files that are scanned again, and the same counters', async () => {
    // Restores the old passwords, as if the people had chosen them again.
    for (const { email, hash } of passwords) {
      await rowsOf(home, 'auth', `UPDATE users SET password_hash = '${hash}' WHERE email = '${email}'`)
    }
    const expert = (await signInAs(demo, 'expert', 1)).api
    await eventually(async () => {
      expect(await connectedCase(expert)).toEqual([
        { speaker: 'initiator', body: 'What is this?', files: [{ id: expect.any(String), name: 'question.txt', status: 'ok' }] },
        { speaker: 'expert', body: 'Read this.', files: [{ id: expect.any(String), name: 'answer.txt', status: 'ok' }] },
      ])
    })
    const [, answer] = await connectedCase(expert)
    expect((await expert.get(`/common_file/${answer?.files[0]?.id}`)).text).toBe('The bytes of answer.txt')
    const { MailReceivedMysqlMessage: ofMail } = counted.Counter
    const shown = await countersOf('expert')
    // Folders have new ids.
    const { customFolders } = shown.Counter.MailReceivedMysqlMessage
    expect(Object.values(customFolders)).toEqual(Object.values(ofMail.customFolders))
    const withDraft = { MailReceivedMysqlMessage: { ...ofMail, drafts: ofMail.drafts + 1, customFolders } }
    expect(shown).toEqual({ Counter: { ...counted.Counter, ...withDraft } })
    expect(await ask('counters', 'recount', '--office', imported)).toMatchObject({ counters: [] })
    expect(await ask('mail', 'recount', '--office', imported)).toMatchObject({ counts: [] })
  })

  it('see their cases, and are invited where they had an account before', async () => {
    const { api } = await sharedClient(demo)
    /** The offices whose invitation they have accepted. */
    const offices = async () =>
      (await api.get<OwnLinks>('/customer_user_link')).body.results.map(({ CustomerUserLink }) => CustomerUserLink.customer_id)
    const theirs = async () => (await api.get<{ Issue: { subject: string } }[]>('/issue?limit=100')).body.map(({ Issue }) => Issue.subject)
    expect(await theirs()).toContain('A connected case')
    expect(await offices()).not.toContain(imported)
    expect((await api.post('/customer_user_link', { CustomerUserLink: { customer_id: imported } })).status).toBe(201)
    expect(await offices()).toContain(imported)
  })
})

describe('mail that is imported', () => {
  const rowOf = async (sql: string) => (await rowsOf(home, 'mail', `${sql} AND customer_id = ${imported}`))[0]
  const folderId = async (name: string) => String((await rowOf(`SELECT id FROM mail_folders WHERE name = '${name}'`))?.id)

  it('is in its folders, with their hierarchy', async () => {
    const [inner, outer] = [await folderId('Inner'), await folderId('Outer')]
    expect(await rowOf(`SELECT parent_id FROM mail_folders WHERE name = 'Inner'`)).toEqual({ parent_id: outer })
    expect(await rowOf(`SELECT mail_folder_id FROM mail_received_messages WHERE mail_subject = 'Kept'`)).toEqual({ mail_folder_id: inner })
    expect(await rowOf(`SELECT before FROM mail_received_messages WHERE mail_subject = 'Thrown away'`)).toEqual({
      before: { mail_folder_id: inner },
    })
    const ordered = `SELECT "order" FROM mail_folder_settings WHERE "order" <> '[]'`
    expect(await rowOf(ordered)).toEqual({ order: `["${outer}","${inner}"]` })
  })

  it('is a draft, with its files, if it was queued', async () => {
    const [file] = await rowsOf<{ id: string }>(
      home,
      'files',
      `SELECT id FROM common_files WHERE filename = 'answer.txt' AND customer_id = ${imported}`,
    )
    const sent = `SELECT status, folder_name, common_file_ids FROM mail_sent_messages WHERE mail_subject = 'Waiting'`
    expect(await rowOf(sent)).toEqual({ status: 4, folder_name: 'DRAFTS', common_file_ids: `["${file?.id}"]` })
  })

  it('is fetched again when the password of its mailbox is entered', async () => {
    const states = await rowsOf(home, 'mail', `SELECT DISTINCT state, password FROM mail_servers WHERE customer_id = ${imported}`)
    expect(states).toEqual([{ state: 'auth_failed', password: null }])
  })
})

interface OwnLinks {
  results: { CustomerUserLink: { customer_id: string } }[]
}
