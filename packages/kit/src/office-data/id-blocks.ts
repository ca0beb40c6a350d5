import { CompiledQuery } from 'kysely'
import type { Id } from '../caller/index.js'
import { type Database, platform } from '../database/index.js'

/** The ids of the rows of one table in an export. */
export interface IdRange {
  readonly first: Id
  readonly last: Id
}

/** Which ids these rows have here, in the types of JSON: what `kit.new_id` reads. */
export interface IdBlock {
  readonly first: string
  readonly last: string
  /** What is added to an id. */
  readonly shift: string
  /** The id that stands for what is no id. No row has it. */
  readonly nobody: string
  /** New ids of rows that were here before, by their old ones. */
  readonly known?: Readonly<Record<string, string>>
}

/** So many ids other transactions may take between the two moves of a sequence. */
const margin = 100

/** More than an installation gives: ids stay below 2^53, which JSON can say. */
const most = 10n ** 12n

/**
 * Reserves ids for the rows of an export, in their order: the sequence of the table gives none of them. They are lost when the import is abandoned.
 * @returns undefined for a table that gives no ids
 * @throws Error when the ids of the export are further apart than any installation's
 */
export async function reserveIds(db: Database<unknown>, table: string, { first, last }: IdRange): Promise<IdBlock | undefined> {
  const count = last - first + 1n
  if (first < 1n || count < 1n || count > most) throw new Error(`The ids of ${table} are not those of an installation.`)
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
