import { createHash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { type BlobKey, erasedKey } from '../blobs/index.js'
import type { Id } from '../caller/index.js'
import { type Database, office, platform } from '../database/index.js'
import { isImported, isKnown, newId, secretsOf, type TableRule, type Tables } from '../tables/index.js'
import type { IdBlock } from './id-blocks.js'

/** How the ids of an export become ids of this installation. */
export interface NewIds {
  readonly customerId: Id
  /** By table, with its service, such as `auth.users`. */
  readonly blocks: Readonly<Record<string, IdBlock>>
  /** The same for every run of one import, and different for other imports: blob keys are derived from it. */
  readonly seed: string
}

/** A table into which rows of an export are written. */
export interface ImportedTable {
  readonly name: string
  /** Whether the rows belong to no office. */
  readonly isShared: boolean
  /** The columns that an export may contain: all but secret ones, which nobody outside may set. */
  readonly columns: readonly string[]
  /** Columns that the database computes (GENERATED). */
  readonly generated: readonly string[]
  readonly primaryKey: readonly string[]
  /** Whether the table has a foreign key to itself, so that one statement must write all rows. */
  readonly isNested: boolean
  /** SQL of the new value, for each column that is not copied unchanged. */
  readonly becomes: Readonly<Record<string, string>>
}

interface Structure {
  readonly table: string
  readonly columns: string[]
  readonly generated: string[]
  readonly key: string[]
  readonly gives_ids: boolean
  /** The tables to which this one has foreign keys. */
  readonly after: string[]
}

const structure = `
  SELECT pg_class.relname::text AS table, array_agg(attname::text) FILTER (WHERE attgenerated = '') AS columns,
    coalesce(array_agg(attname::text) FILTER (WHERE attgenerated <> ''), '{}') AS generated, bool_or(attidentity <> '') AS gives_ids,
    ARRAY(
      SELECT attname::text FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
      WHERE indrelid = pg_class.oid AND indisprimary) AS key,
    ARRAY(
      SELECT referred.relname::text FROM pg_constraint JOIN pg_class AS referred ON referred.oid = confrelid
      WHERE conrelid = pg_class.oid AND contype = 'f') AS after
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind IN ('r', 'p') GROUP BY pg_class.oid`

/** The new key of a blob. It is derived from `seed`, so that an import that was interrupted can be repeated. */
export const importedBlobKey = (seed: string, key: BlobKey): BlobKey =>
  createHash('sha256').update(seed).update(key).digest('hex').slice(0, 32)

/** SQL of `importedBlobKey`. Any other value than a blob key becomes `erasedKey`. */
const newBlobKey = `CASE WHEN blob_key ~ '^[0-9a-f]{32}$' THEN left(encode(sha256(convert_to(seed || blob_key, 'UTF8')), 'hex'), 32)
  WHEN blob_key IS NOT NULL THEN '${erasedKey}' END`

function changesOf(service: string, rules: readonly TableRule[], { table, columns, gives_ids }: Structure): Record<string, string> {
  const changes: Record<string, string> = {}
  if (gives_ids) changes.id = newId(`${service}.${table}`, 'id')
  if (columns.includes('blob_key')) changes.blob_key = newBlobKey
  for (const rule of rules) {
    if (rule.kind === 'office') changes[rule.column] = 'new_customer_id'
    if (rule.kind === 'foreign-ids') for (const [column, of] of Object.entries(rule.columns)) changes[column] = newId(of, `"${column}"`)
    if (rule.kind === 'imported') Object.assign(changes, rule.columns)
  }
  return changes
}

/** Sorts tables so that each comes after those to which it has foreign keys. */
function inOrder(found: readonly Structure[]): Structure[] {
  const names = new Set(found.map(({ table }) => table))
  const ordered: Structure[] = []
  for (let remaining = [...found]; remaining.length > 0; ) {
    const done = new Set(ordered.map(({ table }) => table))
    const next = remaining.filter(({ table, after }) => after.every((other) => other === table || done.has(other) || !names.has(other)))
    if (next.length === 0) throw new Error(`Foreign keys form a cycle: ${remaining.map(({ table }) => table).join(', ')}.`)
    ordered.push(...next)
    remaining = remaining.filter((table) => !next.includes(table))
  }
  return ordered
}

/**
 * The tables of a service into which an import writes, each after those to which it has foreign keys.
 * @throws Error when foreign keys form a cycle of several tables
 */
export async function importedTables(db: Database<unknown>, service: string, tables: Tables): Promise<ImportedTable[]> {
  const rulesOf = (name: string) => tables[name] ?? []
  const all = await db.query(platform, CompiledQuery.raw(structure) as CompiledQuery<Structure>)
  return inOrder(all.filter(({ table }) => isImported(rulesOf(table)))).map((found) => ({
    name: found.table,
    isShared: !rulesOf(found.table).some(({ kind }) => kind === 'office'),
    columns: found.columns.filter((column) => !secretsOf(rulesOf(found.table)).includes(column)),
    generated: found.generated,
    primaryKey: found.key,
    isNested: found.after.includes(found.table),
    becomes: changesOf(service, rulesOf(found.table), found),
  }))
}

/**
 * Writes rows of an export in one transaction. Rows whose primary key is present already are left unchanged, so that an import can be repeated.
 * @param options.service the service of the table
 * @param options.columns the columns of the rows; all others get their default
 * @param rows each as a line of JSON
 */
export async function importRows(
  db: Database<unknown>,
  { name, isShared, generated, becomes, primaryKey }: ImportedTable,
  { service, columns, ids }: { service: string; columns: readonly string[]; ids: NewIds },
  rows: readonly string[],
): Promise<void> {
  const written = [...new Set([...columns, ...Object.keys(becomes)])].filter((column) => !generated.includes(column))
  const known = isKnown(`${service}.${name}`, "to_jsonb(exported) ->> 'id'")
  const statement = `
    WITH import AS (SELECT $1::bigint AS new_customer_id, $2::jsonb AS new_ids, $3::text AS seed)
    INSERT INTO "${name}" (${written.map((column) => `"${column}"`).join(', ')})
    SELECT ${written.map((column) => becomes[column] ?? `exported."${column}"`).join(', ')}
    FROM import, jsonb_populate_recordset(NULL::"${name}", $4::jsonb) AS exported WHERE NOT ${isShared ? known : 'false'}
    ON CONFLICT (${primaryKey.map((column) => `"${column}"`).join(', ')}) DO NOTHING`
  const values = [String(ids.customerId), JSON.stringify(ids.blocks), ids.seed, `[${rows.join(',')}]`]
  const scope = isShared ? platform : office(ids.customerId)
  await db.write(scope, () => db.query(scope, CompiledQuery.raw(statement, values)))
}
