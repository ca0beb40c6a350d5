import { CompiledQuery } from 'kysely'
import { AppError } from '../errors/index.js'
import { platform } from './scope.js'
import type { Database } from './types.js'

/** A column of sealed values (see kit/secrets), each bound to the identity of its row. */
export interface SealedColumn {
  readonly table: string
  /** The column that identifies a row, and its type. */
  readonly key: { readonly column: string; readonly type: 'uuid' | 'text' | 'bigint' }
  readonly column: string
  /** The identity to which the value of a row is bound. Default the key of the row. */
  readonly identityOf?: (key: string) => string
  readonly sealer: ColumnSealer
}

/** A `Sealer` of kit/secrets. */
interface ColumnSealer {
  knows(sealed: Uint8Array): boolean
  open(sealed: Uint8Array, identity: string): Uint8Array
  reseal(sealed: Uint8Array, identity: string): Uint8Array | undefined
}

interface Sealed {
  readonly key: string
  readonly value: Uint8Array
}

const chunk = 500
/** How many values of each column `requireSecret` checks, from the highest key down. */
const sample = 20

const theKey = (key: string) => key

const send = <Row>(db: Database<unknown>, text: string, values: unknown[]) =>
  db.query(platform, CompiledQuery.raw(text, values) as CompiledQuery<Row>)

/**
 * Seals with the current secret the values that were sealed with a previous one, in short transactions that lock 500 rows each. Null stays null.
 * @returns how many values were resealed
 * @throws ConfigError when no known secret has sealed a value
 */
export async function resealColumn(db: Database<unknown>, sealed: SealedColumn): Promise<number> {
  const { table, key, column, identityOf = theKey, sealer } = sealed
  const rows = `SELECT "${key.column}"::text AS key, "${column}" AS value FROM "${table}"
    WHERE ($1::${key.type} IS NULL OR "${key.column}" > $1::${key.type}) AND "${column}" IS NOT NULL ORDER BY "${key.column}" LIMIT ${chunk} FOR UPDATE`
  const update = `UPDATE "${table}" SET "${column}" = $2 WHERE "${key.column}" = $1::${key.type}`

  let count = 0
  for (let last: string | null = null; ; ) {
    const found: Sealed[] = await db.write(platform, async () => {
      const page = await send<Sealed>(db, rows, [last])
      for (const { key, value } of page) {
        const resealed = sealer.reseal(value, identityOf(key))
        if (!resealed) continue
        await send(db, update, [key, resealed])
        count++
      }
      return page
    })
    last = found.at(-1)?.key ?? null
    if (found.length < chunk) return count
  }
}

/** As `resealColumn`, for several columns one after the other. */
export async function resealColumns(db: Database<unknown>, columns: readonly SealedColumn[]): Promise<number> {
  let count = 0
  for (const column of columns) count += await resealColumn(db, column)
  return count
}

/**
 * Checks that this process knows the secret with which these columns are sealed, before it seals values with a wrong one. One value among the last 20 of a
 * column is enough, because a copy with a wrong secret may have sealed the others. While the database is unavailable, nothing is checked.
 * @throws ConfigError when there are values, and none of those that it checked was sealed with a known secret
 */
export async function requireSecret(db: Database<unknown>, columns: readonly SealedColumn[]): Promise<void> {
  let open: (() => unknown) | undefined
  for (const { table, key, column, identityOf = theKey, sealer } of columns) {
    const last = `SELECT "${key.column}"::text AS key, "${column}" AS value FROM "${table}"
      WHERE "${column}" IS NOT NULL ORDER BY "${key.column}" DESC LIMIT ${sample}`
    const values = await send<Sealed>(db, last, []).catch(noneWhereUnavailable)
    if (values.some(({ value }) => sealer.knows(value))) return
    const [first] = values
    if (first) open ??= () => sealer.open(first.value, identityOf(first.key))
  }
  // Throws a ConfigError that names the variable of the secret.
  open?.()
}

function noneWhereUnavailable(error: unknown): Sealed[] {
  if (error instanceof AppError && error.kind === 'unavailable') return []
  throw error
}
