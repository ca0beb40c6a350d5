import { CompiledQuery } from 'kysely'
import type { Id } from '../caller/index.js'
import { type Database, platform } from '../database/index.js'
import type { Tables } from '../tables/index.js'
import { officeRowsOf } from './office-rows.js'

/** @returns how many rows of each table are data of the office, by the names of the tables; those without any are left out */
export async function countOfficeRows(db: Database<unknown>, tables: Tables, customerId: Id): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const { table, where } of officeRowsOf(tables).toReversed()) {
    const statement = CompiledQuery.raw(`SELECT count(*)::float8 AS rows FROM ${table} WHERE ${where}`, [String(customerId)])
    const [found] = await db.query(platform, statement as CompiledQuery<{ rows: number }>)
    if (found?.rows) counted[table.replaceAll('"', '')] = found.rows
  }
  return counted
}
