import type { RawTransaction } from '../types.js'

/** Values by the names of columns: bigint, Date, Buffer, or what JSON has. Text is well-formed and has no NUL. */
export type InsertedRow = Readonly<Record<string, unknown>>

/** As PostgreSQL reads it in JSON. */
const inJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}

/** Before `JSON.stringify` makes an object of them. */
const encoded = (row: InsertedRow) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, inJson(value)]))

/**
 * Inserts rows of which there are many or whose texts are long, as one parameter of one statement: `createMany` of Prisma takes a parameter for each value, and
 * several times the CPU and the memory. Without rows, nothing.
 * @param rows all with the columns of the first; what they do not have gets its default
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
