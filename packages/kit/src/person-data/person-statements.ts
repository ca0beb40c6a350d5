import type { RowPages } from '../database/index.js'
import type { TableRule, Tables } from '../tables/index.js'

/** The replacement of erased text. It is never longer than that text, so that it fits every column. */
const blackedOut = '***'

const person = `person AS MATERIALIZED (
  SELECT $1::bigint AS office_id, $2::bigint AS person_id, $3::boolean AS account, $4::text AS external_user_id, $5::text[] AS emails,
    $6::text[] AS phrases, $7::text AS sure, $8::text AS likely, $9::text AS record, $10::text[] AS firsts, $11::text[] AS lasts)`

type Becomes = Readonly<Record<string, string>> | 'nothing'

/** A change of rows: which ones, and their new values. */
interface Change {
  readonly table: string
  /** SQL after FROM: the rows to search. */
  readonly source: string
  readonly where: string
  readonly becomes: Becomes
}

/** The statement for the first page of rows, and the one for the page after a key. */
export interface PersonStatement {
  readonly first: string
  readonly next: string
}

/** The number of the first parameter of the key, after the 11 parameters of `person`. */
const keyFrom = 12

/**
 * SQL that changes the rows of a page for which `where` holds and whose values differ from the new ones. Its result is their number (`found`), and the last key
 * of the page (`last`).
 */
function statement({ table, where, becomes }: Change, page: string): string {
  const isDelete = becomes === 'nothing'
  const entries = isDelete ? [] : Object.entries(becomes)
  const differs = isDelete ? 'true' : entries.map(([column, value]) => `${table}."${column}" IS DISTINCT FROM (${value})`).join(' OR ')
  const rows = (places: string) => `${table}.ctid = ANY (ARRAY(${places}))`
  const change = isDelete
    ? `DELETE FROM ${table} WHERE ${rows('SELECT ctid FROM found')}`
    : `UPDATE ${table} SET ${entries.map(([column, value]) => `"${column}" = (${value})`).join(', ')} FROM person WHERE ${rows('SELECT ctid FROM found')}`
  return `
    WITH ${person}, page AS MATERIALIZED (${page}),
      found AS MATERIALIZED (SELECT ${table}.ctid FROM ${table}, person WHERE ${rows('SELECT place FROM page')} AND (${where}) AND (${differs})),
      changed AS (${change})
    SELECT (SELECT count(*)::int FROM found) AS found, (SELECT key FROM page ORDER BY nth DESC LIMIT 1) AS last`
}

/** SQL of `own` for idempotency keys: whether the caller (`<kind>:<id>@<office>`) is the person or of the office, and the answer is a record of the person. */
const remembered = `(idempotency_key.caller LIKE '%@' || person.office_id OR idempotency_key.caller LIKE 'client:' || person.person_id || '@%')
  AND idempotency_key.body COLLATE pg_c_utf8 ~* concat_ws('|', person.sure, person.record)`

/** SQL that extends a regular expression so that it does not match in a key of JSON. */
const notInKey = `|| '(?![[:alnum:]_]*"\\s*:)'`

/** The change of columns in which people write: matches are replaced by `***`. In JSON, keys are left alone. */
function writtenIn(table: string, source: string, columns: readonly string[], { own, json }: { own: string; json: boolean }): Change {
  const expression = `(CASE WHEN (${own}) THEN person.likely ELSE person.sure END ${json ? notInKey : ''})`
  const texts = columns.map((column) => [column, `${table}."${column}" COLLATE pg_c_utf8`] as const)
  return {
    ...{ table, source },
    where: texts.map(([, text]) => `${text} ~* ${expression}`).join(' OR '),
    becomes: Object.fromEntries(texts.map(([column, text]) => [column, `regexp_replace(${text}, ${expression}, '${blackedOut}', 'gi')`])),
  }
}

const bytesOf = (text: string) => `convert_to(${text}, 'UTF8')`

/** SQL of a string of fewer than 128 bytes as it is encoded in a Protocol Buffers message, after its length (Encoding, "Length-Delimited Records"). */
const fieldOf = (text: string) => `decode(lpad(to_hex(octet_length(${text})), 2, '0'), 'hex') || ${bytesOf(text)}`

/** SQL: whether a dead letter names the person: by a phrase, or, where its key is the office or the person, by first and last name in separate fields. */
const named = `EXISTS (SELECT FROM unnest(person.phrases) AS phrase WHERE position(${bytesOf('phrase')} IN dead_letter.payload) > 0)
  OR dead_letter.key IN (person.office_id::text, person.person_id::text) AND EXISTS (
    SELECT FROM unnest(person.firsts, person.lasts) AS name (first, last)
    WHERE position(${fieldOf('first')} IN dead_letter.payload) > 0 AND position(${fieldOf('last')} IN dead_letter.payload) > 0)`

const ofKit = (table: string, where: string): Change => ({ table, source: `${table} WHERE true`, where, becomes: 'nothing' })

/** The changes of the kit's own tables: finished jobs, dead letters, and answers that are stored for idempotency keys. */
const kitChanges: readonly Change[] = [
  ofKit(
    'kit.job',
    `job.state IN ('done', 'failed', 'uncertain') AND (concat_ws(' ', job.payload, job.cursor, job.error) COLLATE pg_c_utf8 ~* person.sure
      OR job.payload->>'externalUserId' = person.external_user_id)`,
  ),
  ofKit('kit.dead_letter', `${named} OR dead_letter.error COLLATE pg_c_utf8 ~* person.sure`),
  writtenIn('kit.idempotency_key', 'kit.idempotency_key WHERE true', ['body'], { own: remembered, json: true }),
]

/** The changes of a table by its rules. Where the rows belong to offices, only those of the person's office are searched. */
function changesOf(name: string, rules: readonly TableRule[]): Change[] {
  const table = `"${name}"`
  const [ofOffice] = rules.flatMap((rule) => (rule.kind === 'office' ? [`${table} WHERE ${table}."${rule.column}" = $1::bigint`] : []))
  return rules.flatMap((rule) => {
    if (rule.kind === 'personal') {
      const { where, becomes } = rule
      return [{ ...{ table, where, becomes }, source: ofOffice ?? `${table}, person WHERE (${where})` }]
    }
    return rule.kind === 'written' ? [writtenIn(table, ofOffice ?? `${table} WHERE true`, rule.columns, rule)] : []
  })
}

/** The statements that erase a person from the tables of a service. Each is repeated with the last key that it has returned. */
export async function personStatements(tables: Tables, pagesOf: (table: string) => Promise<RowPages>): Promise<PersonStatement[]> {
  const statements: PersonStatement[] = []
  for (const change of [...Object.entries(tables).flatMap(([table, rules]) => changesOf(table, rules)), ...kitChanges]) {
    const pages = await pagesOf(change.table)
    const [first, next] = [null, keyFrom].map((after) => statement(change, pages.next(change.source, after)))
    statements.push({ first: String(first), next: String(next) })
  }
  return statements
}
