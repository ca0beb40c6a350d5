import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diskBlobStore } from '@caseway/kit/blobs'
import { exportedTables } from '@caseway/kit/office-data'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { definitions } from '../src/definitions.js'
import { exportFolder } from '../src/office-export/export-folder.js'
import { exportOffice } from '../src/office-export/office-export.js'
import { complete, exported, ndjson, receivedMessage, temporaryFolder } from './support/exported-folder.js'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

let there: Installation
beforeAll(async () => {
  there = await installation()
})
afterAll(() => there.drop())

it('an export has every table of every service with rows of an office', async () => {
  const { customer_id } = await there.office()
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const destination = join(folder, 'export')
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  documentOf(await caseway(env, 'office', 'export', '--office', customer_id, '--to', destination, '--json'))
  const listed: string[] = []
  for await (const line of exportFolder(destination).lines('manifest.ndjson')) listed.push(JSON.parse(line).path)
  const tables = definitions.flatMap(({ name, tables }) => exportedTables(tables).map((table) => `${name}/${table.name}.ndjson`))
  expect(listed.toSorted()).toEqual(['export.json', ...tables].toSorted())
})

it('an export writes referring rows before the rows to which they refer, because rows may be added meanwhile', async () => {
  const { customer_id } = await there.office()
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  const written: string[] = []
  const office = { customerId: BigInt(customer_id), name: 'A', state: 'closed' } as const
  await exportOffice(env, office, join(folder, 'export'), (said) => written.push(String(said.split('.ndjson')[0])))
  const references = `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint
    WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conrelid <> confrelid`
  for (const service of ['mail', 'cases'] as const) {
    const place = (table: string) => written.indexOf(`${service === 'cases' ? 'cases-and-counters' : service}/${table}`)
    const found = await there[service].rows<{ from: string; to: string }>(references)
    expect(found.length).toBeGreaterThan(1)
    expect(found.filter(({ from, to }) => place(from) > place(to) && place(to) >= 0)).toEqual([])
  }
})

it.each(['open', 'closed'] as const)(
  'a resumed export of an office that was %s states `open` if the office was open in one of its runs',
  async (before) => {
    const { customer_id } = await there.office()
    const folder = temporaryFolder()
    await diskBlobStore(folder).open(true)
    const to = join(folder, 'export')
    const office = { customerId: BigInt(customer_id), name: 'A' }
    const exportAs = (state: 'open' | 'closed', progress: () => void) =>
      exportOffice({ ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }, { ...office, state }, to, progress)
    const breaksOff = () => {
      throw new Error('It broke off.')
    }
    await expect(exportAs(before, breaksOff)).rejects.toThrow('It broke off.')
    const begun = JSON.parse(await exportFolder(to).read('export.json'))
    expect(begun.state).toBe(before)
    expect(await exportAs(before === 'open' ? 'closed' : 'open', () => undefined)).toMatchObject({ state: 'open' })
    expect(JSON.parse(await exportFolder(to).read('export.json'))).toEqual({ ...begun, state: 'open' })
  },
)

it('an export fails if the office is deleted meanwhile', async () => {
  const { customer_id } = await there.office()
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  await there.auth.rows('UPDATE customers SET deleted = true WHERE id = $1', [customer_id])
  const office = { customerId: BigInt(customer_id), name: 'A', state: 'closed' } as const
  const to = join(folder, 'export')
  await expect(exportOffice(env, office, to, () => undefined)).rejects.toThrow('The office was deleted during the export')
  expect(await exportFolder(to).has('manifest.ndjson')).toBe(false)
})

it('an export refuses a folder with a part of another export', async () => {
  const [{ customer_id: one }, { customer_id: other }] = [await there.office(), await there.office()]
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const to = join(folder, 'export')
  const exportOf = (id: string) =>
    caseway({ ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }, 'office', 'export', '--office', id, '--to', to, '--json')
  documentOf(await exportOf(one))
  // As after `rm export/*`.
  for (const path of ['export.json', 'manifest.ndjson']) await rm(join(to, path))
  expect(await exportOf(other)).toMatchObject({ code: 1, err: expect.stringContaining('The folder contains a part of an export') })
})

it('an export refuses a folder with other files', async () => {
  const { customer_id } = await there.office()
  const folder = temporaryFolder()
  const to = join(folder, 'letters')
  await mkdir(to)
  await writeFile(join(to, 'letter.txt'), 'Dear Ada')
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  const refused = await caseway(env, 'office', 'export', '--office', customer_id, '--to', to)
  expect(refused).toEqual({ code: 1, out: '', err: 'The folder contains something else (letter.txt): choose an empty folder.' })
  expect(await readdir(to)).toEqual(['letter.txt'])
})

it('an export accepts an empty folder, and resumes one that was interrupted at its first file', async () => {
  const { customer_id } = await there.office()
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  for (const [to, partial] of [[join(folder, 'empty')], [join(folder, 'begun'), 'export.json.part']] as const) {
    await mkdir(to)
    if (partial) await writeFile(join(to, partial), '{')
    documentOf(await caseway(env, 'office', 'export', '--office', customer_id, '--to', to, '--json'))
  }
})

it.each([
  ['a file', ''],
  ['below a file', 'today'],
])('an export names the file that is not a folder: %s', async (_, below) => {
  const { customer_id } = await there.office()
  const file = join(temporaryFolder(), 'file')
  await writeFile(file, '')
  const { code, out, err } = await caseway(there.env, 'office', 'export', '--office', customer_id, '--to', join(file, below))
  const path = join(file, below, 'manifest.ndjson')
  const sentence = `The command failed at ${path}: a part of the path is a file, not a folder.`
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: sentence })
})

it('an export ends with an error where its folder cannot be created', async () => {
  const { customer_id } = await there.office()
  const { code, err } = await caseway(there.env, 'office', 'export', '--office', customer_id, '--to', '/proc/exports/today')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^The command failed: .*mkdir '\/proc/) })
})

it('an export requests no bytes of a message whose original was erased', async () => {
  const from = exported({ ...complete, 'mail/mail_received_messages.ndjson': ndjson({ ...receivedMessage, id: 7, mail_body: '' }) })
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  const { customer_id } = documentOf(await caseway(env, 'office', 'import', '--from', from, '--json'))
  const to = join(folder, 'export')
  expect(documentOf(await caseway(env, 'office', 'export', '--office', customer_id, '--to', to, '--json')).lost).toEqual([])
  expect(await exportFolder(to).read('mail/mail_received_messages.ndjson')).toContain('"blob_key": "erased"')
})

it('an export may have more blobs than a function call may have arguments', async () => {
  const { customer_id } = await there.office()
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const many = 130_000
  await there.files.rows(
    `INSERT INTO common_files (customer_id, name, filename, mime, size, sha256, blob_key)
     SELECT $1, '', '', '', 0, '', lpad(to_hex(nth), 32, '0') FROM generate_series(1, $2::int) AS nth`,
    [customer_id, many],
  )
  const office = { customerId: BigInt(customer_id), name: 'A', state: 'closed' } as const
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  expect((await exportOffice(env, office, join(folder, 'export'), () => undefined)).lost).toHaveLength(many)
}, 180_000)
