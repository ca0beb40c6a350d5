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

/** No owner gets there by counting; a copy that believed such a revision would never be written again. */
const maxRevision = 2n ** 53n

/**
 * Writes whole states of copied things, each only over a lower revision: twice or out of order makes no difference.
 * No key may be twice in `rows`.
 * @param key the columns of the table's primary key
 * @returns how many rows were written
 * @throws RangeError when a revision is not from 0 to 2^53: nothing is written
 */
export async function keepNewest<Row extends CopiedRow>(
  tx: RawClient,
  table: string,
  rows: readonly Row[],
  key: readonly (keyof Row & string)[] = ['id'],
): Promise<number> {
  const [first] = rows
  if (!first) return 0
  const absurd = rows.find(({ revision }) => revision < 0n || revision > maxRevision)
  if (absurd) throw new RangeError(`${absurd.revision} is no revision of ${table}.`)
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
