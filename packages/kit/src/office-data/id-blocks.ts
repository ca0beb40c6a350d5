import { CompiledQuery } from 'kysely'
import type { Id } from '../caller/index.js'
import { type Database, platform } from '../database/index.js'

/** The lowest and the highest id of the rows of one table in an export. */
export interface IdRange {
  readonly first: Id
  readonly last: Id
}

/** How ids of an export map to ids of this installation, in the types of JSON: the argument of `kit.new_id`. */
export interface IdBlock {
  readonly first: string
  readonly last: string
  /** Added to each id from `first` to `last`. */
  readonly shift: string
  /** The id that replaces a value that is not a valid id. No row has it. */
  readonly nobody: string
  /** Ids of rows that this installation had before the import, by their ids in the export. */
  readonly known?: Readonly<Record<string, string>>
}

/** How many ids other transactions may take between `nextval` and `setval`. */
const margin = 100

/** The longest block: more than any installation needs, and ids stay below 2^53, which a JSON number can hold. */
const maxIds = 10n ** 12n

/**
 * Reserves a block of ids for the rows of an export, by moving the sequence of the table beyond it. The ids are lost when the import is abandoned.
 * @returns undefined for a table without an identity column
 * @throws Error when the range is empty, or longer than 10^12
 */
export async function reserveIds(db: Database<unknown>, table: string, { first, last }: IdRange): Promise<IdBlock | undefined> {
  const count = last - first + 1n
  if (first < 1n || count < 1n || count > maxIds) throw new Error(`The ids of ${table} are outside of the valid range.`)
  const statement = `
    WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('kit.reserve_ids', 0))),
      given AS MATERIALIZED (
        SELECT pg_get_serial_sequence($1, attname) AS sequence FROM pg_attribute
        WHERE attrelid = $1::regclass AND attname = 'id' AND attidentity <> '')
    SELECT setval(sequence, nextval(sequence) + $2::bigint + ${margin}) - $2::bigint AS nobody FROM turn, given`
  const query = CompiledQuery.raw(statement, [`"${table}"`, String(count)]) as CompiledQuery<{ nobody: bigint }>
  const [reserved] = await db.write(platform, () => db.query(platform, query))
  if (!reserved) return undefined
  const { nobody } = reserved
  return { first: String(first), last: String(last), shift: String(nobody + 1n - first), nobody: String(nobody) }
}
