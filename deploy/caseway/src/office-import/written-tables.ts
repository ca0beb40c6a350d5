import type { BlobStore } from '@caseway/kit/blobs'
import { type ImportedTable, importedBlobKey, importedTables, importRows, type NewIds } from '@caseway/kit/office-data'
import type { Administered, Service } from '@caseway/kit/service'
import { Problem } from '../problem.js'
import { type CompleteExport, parsed } from './complete-export.js'
import { type ExportedRows, pagesOf, type Surveys } from './exported-rows.js'

export interface Writing {
  readonly source: CompleteExport
  readonly surveys: Surveys
  readonly ids: NewIds
  /** Called with what was written. */
  readonly progress: (text: string) => void
}

type Opened = Pick<Administered<unknown>, 'db' | 'blobs'>
type Definition = Pick<Service, 'name' | 'tables'>

/** Inserts the rows of a service, and stores the bytes to which they refer. Existing rows stay unchanged. */
export async function writeTables({ db, blobs }: Opened, { name: service, tables }: Definition, writing: Writing) {
  const { source, surveys, ids, progress } = writing
  for (const table of await importedTables(db, service, tables)) {
    const survey = surveys.get(`${service}.${table.name}`)
    if (!survey) continue
    const { path, columns } = survey
    const hasBytes = blobs && columns.includes('blob_key')
    let rows = 0
    for await (const page of pagesOf(source, path, table.isNested)) {
      if (hasBytes) for (const line of page) await writeBlob(blobs, keyOf(line, path), { source, service, seed: ids.seed })
      await importRows(db, table, { service, columns, ids }, page)
      rows += page.length
    }
    progress(`${path}: ${rows} rows`)
  }
}

/** @throws Problem where the export has unknown columns, or secret ones: a password from outside would open an account here. */
export async function requireKnownColumns(
  { db }: Pick<Opened, 'db'>,
  { name: service, tables }: Definition,
  surveys: Surveys,
): Promise<void> {
  for (const table of await importedTables(db, service, tables)) {
    const survey = surveys.get(`${service}.${table.name}`)
    if (survey) requireKnown(table, survey)
  }
}

function requireKnown(table: ImportedTable, { path, columns }: ExportedRows): void {
  const unknown = columns.filter((column) => !table.columns.includes(column) && !table.generated.includes(column))
  if (unknown.length > 0) throw new Problem(`${path} has columns that this version does not import: ${unknown.join(', ')}.`)
}

const keyOf = (line: string, path: string): string => String(parsed(line, path).blob_key ?? '')

interface Bytes {
  readonly source: CompleteExport
  readonly service: string
  readonly seed: string
}

/** Stores bytes, unless they were already missing in the exporting installation. */
async function writeBlob(blobs: BlobStore, key: string, { source, service, seed }: Bytes): Promise<void> {
  const blob = source.blob(service, key)
  if (!blob) return
  const newKey = importedBlobKey(seed, key)
  const size = await blobs.sizeOf(newKey)
  if (size === blob.bytes) return
  await blobs.remove(newKey)
  await blobs.put(newKey, blob.content())
}
