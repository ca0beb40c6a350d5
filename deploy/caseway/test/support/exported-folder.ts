import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { exportedTables } from '@caseway/kit/office-data'
import { afterAll } from '@jest/globals'
import { definitions } from '../../src/definitions.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** Creates a folder that is removed after the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'caseway-export-'))
  folders.push(folder)
  return folder
}

export const ndjson = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

export const header = { format: 1, customer_id: '1', name: 'Moved', state: 'closed' }
const office = {
  id: 1,
  name: 'Moved',
  time_zone: 'UTC',
  language: 'pl',
  created: '2026-01-01T00:00:00Z',
  modified: '2026-01-01T00:00:00Z',
  version: 1,
}

/** A message without its id and body. */
export const receivedMessage = {
  ...{
    customer_id: 1,
    mail_server_id: 1,
    mail_thread_id: 1,
    user_id: 1,
    timestamp: '2026-01-01T00:00:00Z',
    mail_address: 'a@x.example',
    mail_name: 'A',
  },
  ...{ mail_to: '[]', mail_cc: '[]', mail_subject: 'A', body_text: 'Look', has_attachments: true, is_read: true, size: 1 },
  ...{ sha256: '\\x00', blob_key: 'none', folder_name: 'OTHERS' },
  ...{ created: '2026-01-01T00:00:00Z', modified: '2026-01-01T00:00:00Z', version: 1 },
}

export type Files = Record<string, string>

export const complete: Files = { 'export.json': JSON.stringify(header), 'auth/customers.ndjson': ndjson(office) }

/** Empty files of all tables: an export also has a file for a table without rows. */
const emptyTables: Files = Object.fromEntries(
  definitions.flatMap(({ name, tables }) => exportedTables(tables).map((table) => [`${name}/${table.name}.ndjson`, ''])),
)

/** Creates an export of these files, with empty files for all other tables, and a matching manifest. */
export function exported(
  files: Files,
  change: (listed: { path: string; bytes: number; sha256: string }[]) => object[] = (listed) => listed,
): string {
  const folder = temporaryFolder()
  const listed = Object.entries({ ...emptyTables, ...files }).map(([path, content]) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
    return { path, bytes: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') }
  })
  const lines = change(listed).map((file) => `${JSON.stringify(file)}\n`)
  writeFileSync(join(folder, 'manifest.ndjson'), lines.join(''))
  return folder
}
