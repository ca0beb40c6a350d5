import { diskBlobStore } from '@caseway/kit/blobs'
import { holdTransaction } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { complete, exported, type Files, header, ndjson, temporaryFolder } from './support/exported-folder.js'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

let there: Installation
beforeAll(async () => {
  there = await installation()
})
afterAll(() => there.drop())

const imports = (from: string) => there.caseway('office', 'import', '--from', from)
const offices = () => there.auth.rows('SELECT FROM customers')

describe('an export that cannot be imported', () => {
  it.each<[string, () => string, string]>([
    ['is not complete', () => temporaryFolder(), 'The folder has no complete export: manifest.ndjson is missing.'],
    [
      'lacks a file',
      () => exported(complete, (listed) => [...listed, { path: `files/blobs/${'a'.repeat(32)}`, bytes: 0, sha256: '' }]),
      `files/blobs/${'a'.repeat(32)} is missing.`,
    ],
    [
      'has a manifest that ends early, between two lines',
      () => exported(complete, (listed) => listed.filter(({ path }) => !path.startsWith('mail/mail_folder'))),
      'manifest.ndjson does not list every table: mail.mail_folders, mail.mail_folder_rules, mail.mail_folder_settings.',
    ],
    [
      'names a file outside of it',
      () => exported(complete, (listed) => [...listed, { path: '../secrets.json', bytes: 0, sha256: '' }]),
      'manifest.ndjson lists a file that cannot belong to an export.',
    ],
    [
      'has a file of another size',
      () => exported(complete, (listed) => listed.map((file) => (file.path === 'export.json' ? { ...file, bytes: 1 } : file))),
      'export.json does not match its size and hash in manifest.ndjson.',
    ],
    [
      'is of another format',
      () => exported({ ...complete, 'export.json': '{"format":2}' }),
      'The format version of the export is not supported.',
    ],
    ['has no office', () => exported({ 'export.json': JSON.stringify(header) }), 'The export does not contain exactly one office.'],
    [
      'has a table that is not known',
      () => exported({ ...complete, 'auth/letters.ndjson': '{"id":1}\n' }),
      'auth/letters.ndjson belongs to a table that this version does not have.',
    ],
    [
      'has a column that is not known',
      () => exported({ ...complete, 'mail/mail_templates.ndjson': '{"id":1,"colour":"red"}\n' }),
      'mail/mail_templates.ndjson has columns that this version does not import: colour.',
    ],
    [
      'has a password',
      () => exported({ ...complete, 'auth/clients.ndjson': ndjson({ id: 1, email: 'a@client.example', password_hash: 'x' }) }),
      'auth/clients.ndjson has columns that this version does not import: password_hash.',
    ],
    [
      'has rows of different columns',
      () => exported({ ...complete, 'auth/groups.ndjson': ndjson({ id: 1 }, { id: 2, name: 'A' }) }),
      'auth/groups.ndjson has rows with different columns.',
    ],
    [
      'has a line that is no row',
      () => exported({ ...complete, 'auth/groups.ndjson': 'null\n' }),
      'auth/groups.ndjson has a line that is no JSON object.',
    ],
    [
      'has ids of no installation',
      () => exported({ ...complete, 'auth/groups.ndjson': ndjson({ id: 1 }, { id: 2 ** 52 }) }),
      'The ids of groups are outside of the valid range.',
    ],
    [
      'has a row that is wrong',
      () => exported({ ...complete, 'auth/groups.ndjson': ndjson({ id: 1, customer_id: 1, name: null }) }),
      'null value in column',
    ],
  ])('because it %s: nothing is written', async (_, folder, problem) => {
    const { code, out, err } = await imports(folder())
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(problem)
    expect(await offices()).toEqual([])
  })
})

it('an import fails at once while another one runs', async () => {
  const other = await holdTransaction(there.auth, "SELECT pg_advisory_xact_lock(hashtextextended('office import', 0))")
  expect(await imports(exported(complete))).toMatchObject({ code: 1, err: 'Another import is running: try again when it has ended.' })
  await other.commit()
  expect(await offices()).toEqual([])
})

it('an import reports a storage that does not accept bytes', async () => {
  const here = await installation()
  const key = 'a'.repeat(32)
  const file = { id: 1, customer_id: 1, name: 'a', filename: 'a', mime: 'text/plain', size: 1, sha256: '\\x00', blob_key: key }
  const from = exported({ ...complete, 'files/common_files.ndjson': ndjson(file), [`files/blobs/${key}`]: 'a' })
  const folder = temporaryFolder()
  const { err } = await caseway({ ...here.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }, 'office', 'import', '--from', from)
  expect(err).toContain('storage that the command needs does not answer, or is full')
  await here.drop()
})

it('that was interrupted can be abandoned, after which its office cannot be opened', async () => {
  const here = await installation()
  const from = exported({ ...complete, 'mail/mail_templates.ndjson': ndjson({ id: 1, customer_id: 1, name: null }) })
  expect(await here.caseway('office', 'import', '--from', from)).toMatchObject({ code: 1, err: expect.stringContaining('null value') })
  const [begun] = await here.auth.rows<{ id: string }>('SELECT id FROM customers')
  const office = ['--office', begun?.id ?? '']
  const { out } = await here.caseway('office', 'delete', ...office)
  expect(out).toContain('until then `office import` of the same folder resumes its import.')
  expect(await here.caseway('office', 'reopen', ...office)).toMatchObject({ code: 1, err: expect.stringContaining('run the import again') })
  await here.drop()
})

describe('an import does not trust the export', () => {
  const key = 'a'.repeat(32)
  const times = { created: '2026-01-01T00:00:00Z', modified: '2026-01-01T00:00:00Z', version: 1 }
  const file = { ...{ customer_id: 1, name: 'a', filename: 'a', mime: 'text/plain', sha256: '\\x00', ...times } }
  const card = { id: 1, customer_id: 1, hash: 'b'.repeat(32), name: 'Moved', street: 'S', zip: '1', city: 'C', city_slug: 'c' }
  const files: Files = {
    ...complete,
    'files/common_files.ndjson': ndjson(
      { id: 1, size: -1_000_000, blob_key: key, ...file },
      { id: 2, size: 9, blob_key: 'c'.repeat(32), ...file },
    ),
    [`files/blobs/${key}`]: 'seven b',
    'files/storage_use.ndjson': ndjson({ customer_id: 1, bytes: -1_000_000 }),
    'company-card/company_cards.ndjson': ndjson({ ...card, status: 2, is_verified: true, ...times }),
    'company-card/published_company_cards.ndjson': ndjson({ ...card, revision: 1, published: times.created }),
  }
  let here: Installation
  beforeAll(async () => {
    here = await installation()
    const folder = temporaryFolder()
    await diskBlobStore(folder).open(true)
    const env = { ...here.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
    documentOf(await caseway(env, 'office', 'import', '--from', exported(files), '--json'))
  })
  afterAll(() => here.drop())

  it('for the size of its files: the stored bytes are counted', async () => {
    const sizes = await here.files.rows('SELECT size FROM common_files ORDER BY id')
    expect(sizes).toEqual([{ size: 7 }, { size: 0 }])
    expect(await here.files.rows('SELECT bytes FROM storage_use')).toEqual([{ bytes: '7' }])
  })

  it('for the approval of its card: the card waits for the operator of this installation', async () => {
    expect(await here.cards.rows('SELECT status, is_verified FROM company_cards')).toEqual([{ status: 1, is_verified: false }])
    expect(await here.cards.rows('SELECT FROM published_company_cards')).toEqual([])
  })
})

it('requires the folder', async () => {
  expect(await caseway({}, 'office', 'import')).toMatchObject({ code: 2, err: "Required option '--from <folder>' not specified." })
})
