import { CompiledQuery, sql } from 'kysely'
import { platform } from '../scope.js'
import { createQueryCache, Param } from '../statements/cached-query.js'
import { statements } from '../statements/statements.js'
import type { Database, RawTransaction } from '../types.js'

/** A row of a copy, with the revision that the owner has assigned to this state. Values are bigint, Date, or a type of JSON. */
export interface CopiedRow {
  readonly revision: bigint
  readonly [column: string]: unknown
}

/** No owner reaches it by counting. A copy that stored a higher revision would never be updated again. */
const maxRevision = 2n ** 53n

const cachedQuery = createQueryCache()

/**
 * The statement that writes rows of a copy, each only over a lower revision, so that events may be delivered twice or out of order. Rows are written in the
 * order of their keys, so that transactions that write the same rows cannot deadlock. For `db.batch`; inside of `write` see `keepNewest`.
 * @param rows at least one, all with the same columns; of several with the same key the one with the highest revision is written
 * @param key the columns of the primary key
 * @throws RangeError when a revision is not from 0 to 2^53
 */
export function newestStatement<Row extends CopiedRow>(
  table: string,
  rows: readonly [Row, ...Row[]],
  key: readonly (keyof Row & string)[] = ['id'],
): CompiledQuery<unknown> {
  const absurd = rows.find(({ revision }) => revision < 0n || revision > maxRevision)
  if (absurd) throw new RangeError(`${absurd.revision} is no revision of ${table}.`)
  const columns = Object.keys(rows[0])
  const state = columns.filter((column) => !key.includes(column))
  const listed = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  // One parameter for all rows, so that the statement is the same for any number of rows.
  const json = JSON.stringify(newestOfEach(rows, key), (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const build = () => {
    const statement = sql`
      INSERT INTO ${sql.table(table)} (${listed(columns)})
      SELECT ${listed(columns)} FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${new Param((rows: string) => rows)}::jsonb)
      ORDER BY ${listed(key)}
      ON CONFLICT (${listed(key)}) DO UPDATE SET ${sql.join(state.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}
      WHERE ${sql.ref(`${table}.revision`)} < excluded.revision`
    return { compile: () => statement.compile(statements()) }
  }
  return cachedQuery([table, ...key, '', ...columns].join(' '), build, json)
}

function newestOfEach<Row extends CopiedRow>(rows: readonly Row[], key: readonly (keyof Row & string)[]): Row[] {
  const newest = new Map<string, Row>()
  for (const row of rows) {
    const id = key.map((column) => String(row[column])).join(' ')
    if (row.revision > (newest.get(id)?.revision ?? -Infinity)) newest.set(id, row)
  }
  return [...newest.values()]
}

/**
 * Runs `newestStatement` in a transaction. Does nothing without rows.
 * @returns how many rows were written: those with a newer revision than before
 * @throws RangeError as `newestStatement`; then nothing is written
 */
export async function keepNewest<Row extends CopiedRow>(
  tx: RawTransaction,
  table: string,
  rows: readonly Row[],
  key: readonly (keyof Row & string)[] = ['id'],
): Promise<number> {
  const [first, ...others] = rows
  if (!first) return 0
  const { sql: text, parameters } = newestStatement(table, [first, ...others], key)
  return tx.$executeRawUnsafe(text, ...parameters)
}

const chunk = 5000

/**
 * Sets the revision of every row to -1, so that `keepNewest` overwrites it with any revision of the owner. In short transactions.
 * @param options.column the column of the revision. Default `revision`
 * @param options.repeating a column that repeats the revision for which something holds: where both are equal, it is set to -1 as well
 * @param options.only SQL of a condition on the rows, for a table that holds more than one copy. Default all rows
 */
export async function forgetRevisions(
  db: Database<unknown>,
  table: string,
  { column = 'revision', repeating, only = 'true' }: { column?: string; repeating?: string; only?: string } = {},
): Promise<void> {
  const repeated = repeating ? `, ${repeating} = CASE WHEN ${repeating} = ${column} THEN -1 ELSE ${repeating} END` : ''
  const statement = CompiledQuery.raw(`
    UPDATE ${table} SET ${column} = -1${repeated}
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} <> -1 AND (${only}) LIMIT ${chunk} FOR UPDATE)) RETURNING 1`)
  for (let forgotten = chunk; forgotten === chunk; ) {
    forgotten = (await db.write(platform, () => db.query(platform, statement))).length
  }
}
