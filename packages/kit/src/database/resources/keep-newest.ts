import { CompiledQuery, sql } from 'kysely'
import { platform } from '../scope.js'
import { createQueryCache, Param } from '../statements/cached-query.js'
import { statements } from '../statements/statements.js'
import type { Database, RawTransaction } from '../types.js'

/** Columns of a copied thing, with the revision that its owner gives to each state. Values are bigint, Date, or what JSON has. */
export interface CopiedRow {
  readonly revision: bigint
  readonly [column: string]: unknown
}

/** No owner gets there by counting; a copy that believed such a revision would never be written again. */
const maxRevision = 2n ** 53n

const cachedQuery = createQueryCache()

/**
 * The statement that writes whole states of copied things, each only over a lower revision: twice or out of order makes no difference. Rows are
 * written in the order of their keys, so that transactions which write the same ones cannot deadlock. For `db.batch`, where nothing else belongs to
 * the transaction.
 * @param rows at least one; of several states of one thing the one with the highest revision counts
 * @param key the columns of the table's primary key
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
  // One parameter however many rows there are, so that there is one statement to prepare.
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
 * Writes the rows of `newestStatement` as a part of a transaction; without rows, nothing.
 * @returns how many rows were written
 * @throws RangeError as `newestStatement`: nothing is written
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
 * Makes the revision of every row older than any that its owner gives, so that `keepNewest` overwrites it. In short transactions.
 * @param options.column the column of the revision. Default `revision`
 * @param options.repeating a column that says for which revision something holds: it goes on holding
 * @param options.only a condition of SQL on the rows, where the table is more than one copy
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
