import type { Id } from '@caseway/kit/caller'
import { exportedTables, type IdBlock, reserveIds } from '@caseway/kit/office-data'
import type { Service } from '@caseway/kit/service'
import { definitions } from '../definitions.js'
import { manifest } from '../office-export/office-export.js'
import { Problem } from '../problem.js'
import { type Auth, inEveryService, openAuth, openCases, openFiles, openMail, using } from '../services.js'
import { type CompleteExport, completeExport, parsed } from './complete-export.js'
import { type ExportedRows, type Surveys, surveyed } from './exported-rows.js'
import { requireKnownColumns, writeTables } from './written-tables.js'

type Progress = (text: string) => void
type OfficeImport = NonNullable<Awaited<ReturnType<Auth['administration']['officeImports']['find']>>>

interface Export {
  readonly source: CompleteExport
  readonly surveys: Surveys
}

const services: readonly Service[] = definitions
const [auth] = definitions

const tryLock = `SELECT pg_try_advisory_lock(hashtextextended('office import', 0)) AS "isFree"`

/**
 * Runs `work` under a lock that excludes other imports: two of the same export would remove each other's bytes. @throws Problem while another import
 * runs
 */
export const withoutOthers = <T>(env: NodeJS.ProcessEnv, work: () => Promise<T>): Promise<T> =>
  using(openAuth(env), async ({ db }) => {
    // An advisory lock of the session, which is released even if the process dies.
    const connection = await db.connect()
    try {
      const { rows } = await connection.query<{ isFree: boolean }>(tryLock)
      if (!rows[0]?.isFree) throw new Problem('Another import is running: try again when it has ended.')
      return await work()
    } finally {
      await connection.end()
    }
  })

/**
 * Writes the rows and bytes of an export into this installation, as a closed office. An interrupted import is resumed; existing rows stay unchanged.
 * @throws Problem where the export is damaged, has an unknown version, or was imported before
 */
export async function importOffice(env: NodeJS.ProcessEnv, path: string, progress: Progress) {
  const source = await completeExport(path, progress)
  const surveys = await surveyAll(source)
  const found = await using(openAuth(env), ({ administration }) => administration.officeImports.find(source.hash))
  if (found?.isComplete) throw new Problem(`The export was already imported, as office ${found.customerId}.`)
  const office = found ?? (await begin(env, { source, surveys }, progress))
  progress(`Office ${office.customerId} is closed until the import is complete: if the import is interrupted, run the same command again.`)
  const writing = { source, surveys, ids: idsOf(source, office), progress }
  await inEveryService(env, async (opened, definition) => {
    if (definition.name !== auth.name) await writeTables(opened, definition, writing)
  })
  return { source, customerId: office.customerId }
}

/**
 * Opens the office after its derived data are right: counts its bytes and counters, and has its files scanned.
 * @returns the number of counters that differed from the export
 */
export async function completeImport(env: NodeJS.ProcessEnv, { hash }: CompleteExport, customerId: Id) {
  const repair = { repair: true }
  const files = await using(openFiles(env), async ({ administration }) => {
    await administration.recountStorage(customerId)
    return administration.scanPending(customerId)
  })
  const ofCases = await using(openCases(env), ({ administration }) => administration.counters.recount(customerId, repair))
  const ofMail = await using(openMail(env), ({ administration }) => administration.recount(customerId, repair))
  await using(openAuth(env), ({ administration }) => administration.officeImports.complete(hash))
  return { files, counters: ofCases.length + ofMail.length }
}

const idsOf = ({ hash }: CompleteExport, { customerId, blocks }: OfficeImport) => ({ customerId, blocks, seed: hash.toString('hex') })

/**
 * Summarizes every table of the export.
 * @throws Problem where a table is unknown in this version, or one of this version is missing, for instance because the manifest was truncated
 */
async function surveyAll(source: CompleteExport): Promise<Surveys> {
  const known = new Set(services.flatMap((service) => exportedTables(service.tables).map(({ name }) => `${service.name}.${name}`)))
  const listed = new Set(source.tables.map(({ service, table }) => `${service}.${table}`))
  const missing = [...known].filter((name) => !listed.has(name))
  if (missing.length > 0) throw new Problem(`${manifest} does not list every table: ${missing.join(', ')}.`)
  const surveys = new Map<string, ExportedRows>()
  for (const { service, table, path } of source.tables) {
    if (!known.has(`${service}.${table}`)) throw new Problem(`${path} belongs to a table that this version does not have.`)
    surveys.set(`${service}.${table}`, await surveyed(source, path))
  }
  return surveys
}

/** Reserves the ids of all rows, and writes the rows of auth in the same transaction as the record of the import. */
async function begin(env: NodeJS.ProcessEnv, { source, surveys }: Export, progress: Progress): Promise<OfficeImport> {
  if (surveys.get('auth.customers')?.count !== 1) throw new Problem('The export does not contain exactly one office.')
  const accounts = await accountsOf({ source, surveys })
  await inEveryService(env, (opened, definition) => requireKnownColumns(opened, definition, surveys))
  const blocks = await reserveAll(env, surveys)
  const { first, shift } = blocks['auth.customers'] as IdBlock
  const customerId = BigInt(first) + BigInt(shift)
  return using(openAuth(env), ({ db, administration }) =>
    administration.officeImports.begin({ hash: source.hash, customerId, blocks, ...accounts }, async (begun) => {
      await writeTables({ db }, auth, { source, surveys, ids: idsOf(source, begun), progress })
    }),
  )
}

async function reserveAll(env: NodeJS.ProcessEnv, surveys: Surveys): Promise<Record<string, IdBlock>> {
  const reserved = await inEveryService(env, async ({ db }, { name: service, tables }) => {
    const blocks: [string, IdBlock][] = []
    for (const { name } of exportedTables(tables)) {
      const block = await reserveIds(db, name, surveys.get(`${service}.${name}`)?.ids ?? { first: 1n, last: 1n })
      if (block) blocks.push([`${service}.${name}`, block])
    }
    return blocks
  })
  return Object.fromEntries(reserved.flat())
}

/** The accounts in the export. */
async function accountsOf({ source, surveys }: Export) {
  const of = async (table: string) => {
    const accounts: { id: string; email: string }[] = []
    const { path } = surveys.get(`auth.${table}`) ?? {}
    if (path) {
      for await (const line of source.lines(path)) {
        const { id, email } = parsed(line, path)
        accounts.push({ id: String(id), email: String(email) })
      }
    }
    return accounts
  }
  return { employees: (await of('users')).map(({ email }) => email), clients: await of('clients') }
}
