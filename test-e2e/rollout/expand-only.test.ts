import { readdirSync } from 'node:fs'
import { serviceNames } from '@caseway/registry'
import { migrationsOf, type TestDatabase, testDatabase } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { migrateToday } from './recorded.js'

const migrations = (service: string) =>
  readdirSync(migrationsOf(service), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

type Named = Pick<Column, 'table' | 'name'>
const fullName = ({ table, name }: Named) => `${table}.${name}`

interface Column {
  table: string
  name: string
  type: string
  /** Whether an INSERT may omit it. */
  optional: boolean
}

const columns = `
  SELECT format('%I.%I', table_schema, table_name)::regclass::text AS table, column_name AS name,
         data_type || coalesce('(' || character_maximum_length || ')', '') AS type,
         is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' AS optional
  FROM information_schema.columns WHERE table_schema IN ('public', 'kit')`

/** All constraints that can reject rows. */
const constraints = `
  SELECT conrelid::regclass::text AS table, conname::text AS name FROM pg_constraint WHERE contype <> 'n' AND conrelid <> 0
  UNION SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index WHERE indisunique`

describe.each(serviceNames)('the newest migration of %s, under an older build', (service) => {
  let database: TestDatabase
  const look = async () => ({ columns: await database.rows<Column>(columns), constraints: await database.rows<Named>(constraints) })
  type Look = Awaited<ReturnType<typeof look>>
  let before: Look
  let after: Look

  beforeAll(async () => {
    const [newest = '', previous = newest] = migrations(service).reverse()
    database = await testDatabase({ name: service, until: previous })
    before = await look()
    await migrateToday(service, database)
    after = await look()
  })
  afterAll(() => database.drop())

  /** New columns or constraints of tables that existed before. */
  const added = <T extends Named>(part: (seen: Look) => readonly T[]) => {
    const tables = new Set(before.columns.map(({ table }) => table))
    const known = new Set(part(before).map(fullName))
    return part(after).filter((thing) => tables.has(thing.table) && !known.has(fullName(thing)))
  }

  it('keeps every column with its type, and makes none required', () => {
    const now = new Map(after.columns.map((column) => [fullName(column), column]))
    for (const { optional, ...column } of before.columns) {
      expect(now.get(fullName(column))).toMatchObject(optional ? { ...column, optional } : column)
    }
  })

  it('rejects no row that the older build writes', () => {
    expect(added((seen) => seen.columns).filter(({ optional }) => !optional)).toEqual([])
    expect(added((seen) => seen.constraints)).toEqual([])
  })
})
