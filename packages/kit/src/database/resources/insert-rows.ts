import type { RawTransaction } from '../types.js'

/** Values by the names of columns: bigint, Date, Buffer, or what JSON has. Text is well-formed and has no NUL. */
export type InsertedRow = Readonly<Record<string, unknown>>

/** The value as `jsonb_populate_recordset` reads it. */
const inJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}

/** The row with values that `JSON.stringify` would not convert correctly, or not at all, replaced by texts. */
const encoded = (row: InsertedRow) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, inJson(value)]))

/**
 * Inserts many rows, or rows with long texts, as one parameter of one statement. Prisma's `createMany` sends a parameter for each value, and needs several
 * times the CPU and the memory. Does nothing without rows.
 * @param rows all with the columns of the first row; other columns of the table get their defaults
 */
export async function insertRows(tx: RawTransaction, table: string, rows: readonly InsertedRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
    .map((column) => `"${column}"`)
    .join(', ')
  const statement = `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`
  await tx.$executeRawUnsafe(statement, JSON.stringify(rows.map(encoded)))
}
