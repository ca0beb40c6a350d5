import { CompiledQuery } from 'kysely'
import { platform } from './scope.js'
import type { Database } from './types.js'

/** A column whose values are sealed, each for its own row. */
export interface SealedColumn {
  readonly table: string
  /** The column that names a row, and its type. */
  readonly key: { readonly column: string; readonly type: 'uuid' | 'text' | 'bigint' }
  readonly column: string
  /** The identity to which the value of a row is bound. By default the row's key. */
  readonly identityOf?: (key: string) => string
}

/** Of a `Sealer` of kit/secrets. */
interface Resealing {
  reseal(sealed: Uint8Array, identity: string): Uint8Array | undefined
}

const chunk = 500

/**
 * Seals with the present secret what a previous one has sealed, in short transactions that lock 500 rows each. Null stays null.
 * @returns how many values were sealed anew
 * @throws ConfigError when no known secret has sealed a value
 */
export async function resealColumn(db: Database<unknown>, sealed: SealedColumn, sealer: Resealing): Promise<number> {
  const { table, key, column, identityOf = (key) => key } = sealed
  const rows = `SELECT "${key.column}"::text AS key, "${column}" AS value FROM "${table}"
    WHERE ($1::${key.type} IS NULL OR "${key.column}" > $1::${key.type}) AND "${column}" IS NOT NULL ORDER BY "${key.column}" LIMIT ${chunk} FOR UPDATE`
  const update = `UPDATE "${table}" SET "${column}" = $2 WHERE "${key.column}" = $1::${key.type}`
  const send = <Row>(text: string, values: unknown[]) => db.query(platform, CompiledQuery.raw(text, values) as CompiledQuery<Row>)

  let count = 0
  for (let last: string | null = null; ; ) {
    const found: { key: string; value: Uint8Array }[] = await db.write(platform, async () => {
      const page = await send<{ key: string; value: Uint8Array }>(rows, [last])
      for (const { key, value } of page) {
        const resealed = sealer.reseal(value, identityOf(key))
        if (!resealed) continue
        await send(update, [key, resealed])
        count++
      }
      return page
    })
    last = found.at(-1)?.key ?? null
    if (found.length < chunk) return count
  }
}
