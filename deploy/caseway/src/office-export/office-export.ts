import { type BlobStore, isBlobKey } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { Database } from '@caseway/kit/database'
import { type ExportedTable, exportedRows, exportedTables, importedTables } from '@caseway/kit/office-data'
import type { Tables } from '@caseway/kit/tables'
import { serviceNames } from '@caseway/registry'
import { Problem } from '../problem.js'
import { inEveryService, openAuth, using } from '../services.js'
import { type ExportFolder, exportFolder, partialName } from './export-folder.js'

/** The state of an office when its export begins or is resumed. */
export interface Exported {
  readonly customerId: Id
  readonly name: string
  readonly state: 'open' | 'closed'
}

interface Source {
  readonly service: string
  readonly db: Database<unknown>
  readonly blobs?: BlobStore | undefined
}

interface Destination {
  readonly folder: ExportFolder
  readonly customerId: Id
  /** Called with what was written. */
  readonly progress: (text: string) => void
}

export const header = 'export.json'
export const manifest = 'manifest.ndjson'

/** Number of rows between two lines of progress. */
const progressEvery = 10_000

/**
 * Writes the rows of an office and the bytes that they refer to into a folder: one NDJSON file per table and service, and last the manifest, which
 * lists every file with its size and hash. An interrupted export is resumed at the table or the bytes at which it stopped.
 * @returns the number of files and bytes, the keys of bytes that are missing in the storage, and `open` if the office was open during any of the runs
 * @throws Problem if the office was deleted meanwhile, because rows were deleted before they were read
 */
export async function exportOffice(env: NodeJS.ProcessEnv, office: Exported, path: string, progress: (text: string) => void) {
  const { customerId } = office
  const folder = exportFolder(path)
  const state = await begin(folder, office)
  const destination = { folder, customerId, progress }
  const written = await inEveryService(env, async ({ db, blobs }, { name: service, tables }) => {
    const source = { service, db, blobs }
    // Flattened at the end: as arguments of one call they could overflow the stack.
    const files: string[][] = []
    const lost: string[][] = []
    for (const table of await referringFirst(db, service, tables)) {
      const rows = await writeRows(source, table, destination)
      const found = await writeBlobs(source, rows, destination)
      files.push([rows], found.files)
      lost.push(found.lost)
    }
    return { files: files.flat(), lost: lost.flat() }
  })
  const files = [header, ...new Set(written.flatMap(({ files }) => files))]
  const lost = written.flatMap(({ lost }) => lost)
  const now = await using(openAuth(env), ({ administration }) => administration.stateOfOffice(customerId))
  if (!now || now.deleted) throw new Problem('The office was deleted during the export, which is therefore incomplete.')
  return { ...(await writeManifest(folder, files)), lost, state }
}

/**
 * Tables that refer to others come before these: mail is received while an office is closed, and every exported row must find the rows to which it
 * refers.
 */
async function referringFirst(db: Source['db'], service: string, tables: Tables): Promise<ExportedTable[]> {
  const places = (await importedTables(db, service, tables)).map(({ name }) => name)
  return exportedTables(tables).toSorted((one, other) => places.indexOf(other.name) - places.indexOf(one.name))
}

/**
 * Begins or resumes an export. @returns `open` if the office was open during any of its runs @throws Problem if the folder has another or a complete
 * export
 */
async function begin(folder: ExportFolder, { customerId, name, state }: Exported): Promise<Exported['state']> {
  if (await folder.has(manifest)) throw new Problem('The folder already contains a complete export: choose another folder.')
  const begun = (await folder.has(header)) ? JSON.parse(await folder.read(header)) : undefined
  if (begun && begun.customer_id !== String(customerId))
    throw new Problem(`The folder contains an export of office ${begun.customer_id}: choose another folder.`)
  if (!begun) await requireNothingElse(folder)
  if (begun?.state === 'open') return 'open'
  const said = { format: 1, customer_id: String(customerId), name, state, begun: begun?.begun ?? new Date() }
  await folder.write(header, text(JSON.stringify(said, null, 2)))
  return state
}

/** Other files would be mistaken for a part of this export. */
async function requireNothingElse(folder: ExportFolder): Promise<void> {
  const ofExports: readonly string[] = serviceNames
  for (const name of await folder.names()) {
    if (ofExports.includes(name)) throw new Problem(`The folder contains a part of an export without its ${header}: choose another folder.`)
    if (name !== partialName(header)) throw new Problem(`The folder contains something else (${name}): choose an empty folder.`)
  }
}

/** Writes the rows of one table. @returns the path of the file */
async function writeRows({ service, db }: Source, table: ExportedTable, { folder, customerId, progress }: Destination): Promise<string> {
  const path = `${service}/${table.name}.ndjson`
  if (await folder.has(path)) return path
  let rows = 0
  async function* lines() {
    for await (const page of exportedRows(db, table, customerId)) {
      yield `${page.join('\n')}\n`
      if (Math.floor(rows / progressEvery) < Math.floor((rows + page.length) / progressEvery))
        progress(`${path}: ${rows + page.length} rows so far`)
      rows += page.length
    }
  }
  await folder.write(path, lines())
  progress(`${path}: ${rows} rows`)
  return path
}

/** Writes the bytes to which the rows of a file refer. */
async function writeBlobs({ service, blobs }: Source, rows: string, { folder, progress }: Destination) {
  const [files, lost]: [string[], string[]] = [[], []]
  if (!blobs) return { files, lost }
  for await (const line of folder.lines(rows)) {
    const { blob_key: key } = JSON.parse(line) as { blob_key?: string | null }
    if (!key || !isBlobKey(key)) continue
    const path = `${service}/blobs/${key}`
    if (!(await folder.has(path))) {
      const bytes = await blobs.get(key)
      if (bytes) await folder.write(path, bytes)
      else {
        lost.push(`${service}: ${key}`)
        continue
      }
    }
    files.push(path)
  }
  if (files.length > 0) progress(`${service}/blobs: ${files.length} referenced by ${rows}`)
  return { files, lost }
}

async function writeManifest(folder: ExportFolder, files: readonly string[]) {
  let bytes = 0
  async function* lines() {
    for (const path of files) {
      const file = await folder.hashed(path)
      bytes += file.bytes
      yield `${JSON.stringify(file)}\n`
    }
  }
  await folder.write(manifest, lines())
  return { files: files.length, bytes }
}

async function* text(content: string) {
  yield `${content}\n`
}
