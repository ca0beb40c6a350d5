import { sql } from 'kysely'
import { statements } from './statements.js'

interface RawClient {
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>
}

/** Columns of a copied thing, with the revision that its owner gives to each state. */
export interface CopiedRow {
  readonly revision: bigint
  readonly [column: string]: unknown
}

/**
 * Writes whole states of copied things, each only over a lower revision: twice or out of order makes no difference.
 * No key may be twice in `rows`.
 * @param key the columns of the table's primary key
 * @returns how many rows were written
 */
export async function keepNewest<Row extends CopiedRow>(
  tx: RawClient,
  table: string,
  rows: readonly Row[],
  key: readonly (keyof Row & string)[] = ['id'],
): Promise<number> {
  const [first] = rows
  if (!first) return 0
  const state = Object.keys(first).filter((column) => !key.includes(column))
  const { sql: text, parameters } = statements<Record<string, CopiedRow>>()
    .insertInto(table)
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns([...key])
        .doUpdateSet(Object.fromEntries(state.map((column) => [column, sql.ref(`excluded.${column}`)])))
        .whereRef(`${table}.revision`, '<', 'excluded.revision'),
    )
    .compile()
  return tx.$executeRawUnsafe(text, ...parameters)
}
