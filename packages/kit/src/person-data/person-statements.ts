import type { TableRule, Tables } from '../tables/index.js'

/** Rows of one transaction. */
export const chunk = 500

/** Never longer than what it stands for, so that no column becomes too small. */
const blackedOut = '***'

const person = `person AS MATERIALIZED (
  SELECT $1::bigint AS office_id, $2::bigint AS person_id, $3::boolean AS account, $4::text AS external_user_id, $5::text[] AS emails,
    $6::text[] AS phrases, $7::text AS sure, $8::text AS likely, $9::text AS record, $10::text[] AS firsts, $11::text[] AS lasts)`

type Becomes = Readonly<Record<string, string>> | 'nothing'

/** Changes some rows for which `where` holds and that are not yet as they become. @returns SQL that says how many it has found */
function statement(table: string, where: string, becomes: Becomes): string {
  const isDelete = becomes === 'nothing'
  const entries = isDelete ? [] : Object.entries(becomes)
  const differs = isDelete ? 'true' : entries.map(([column, value]) => `${table}."${column}" IS DISTINCT FROM (${value})`).join(' OR ')
  const rows = `${table}.ctid = ANY (ARRAY(SELECT ctid FROM found))`
  const change = isDelete
    ? `DELETE FROM ${table} WHERE ${rows}`
    : `UPDATE ${table} SET ${entries.map(([column, value]) => `"${column}" = (${value})`).join(', ')} FROM person WHERE ${rows}`
  return `
    WITH ${person}, found AS MATERIALIZED (SELECT ${table}.ctid FROM ${table}, person WHERE (${where}) AND (${differs}) LIMIT ${chunk}),
      changed AS (${change})
    SELECT count(*)::int AS found FROM found`
}

/** SQL of `own`: whether the office, or the person, got an answer about a record of the person. Callers are `<kind>:<id>@<office>`. */
const remembered = `(idempotency_key.caller LIKE '%@' || person.office_id OR idempotency_key.caller LIKE 'client:' || person.person_id || '@%')
  AND idempotency_key.body COLLATE pg_c_utf8 ~* concat_ws('|', person.sure, person.record)`

const blacken = (column: string, own: string) =>
  `regexp_replace(${column} COLLATE pg_c_utf8, CASE WHEN (${own}) THEN person.likely ELSE person.sure END, '${blackedOut}', 'gi')`

/** A column of JSON is text while it is changed, and stays what it is where nothing is found. */
const writtenIn = (table: string, columns: readonly string[], own: string, within: (where: string) => string): string => {
  const becomes = Object.fromEntries(columns.map((column) => [column, blacken(`${table}."${column}"`, own)]))
  const found = columns.map(
    (column) => `${table}."${column}" COLLATE pg_c_utf8 ~* CASE WHEN (${own}) THEN person.likely ELSE person.sure END`,
  )
  return statement(table, within(found.join(' OR ')), becomes)
}

const bytesOf = (text: string) => `convert_to(${text}, 'UTF8')`

/** A string of fewer than 128 bytes as a field of a message has it: after its length (Protocol Buffers, Encoding: "Length-Delimited Records"). */
const fieldOf = (text: string) => `decode(lpad(to_hex(octet_length(${text})), 2, '0'), 'hex') || ${bytesOf(text)}`

/** Whether an event names the person: in a text, or, where its key is the office or the person, by the two names in fields of their own. */
const named = `EXISTS (SELECT FROM unnest(person.phrases) AS phrase WHERE position(${bytesOf('phrase')} IN dead_letter.payload) > 0)
  OR dead_letter.key IN (person.office_id::text, person.person_id::text) AND EXISTS (
    SELECT FROM unnest(person.firsts, person.lasts) AS name (first, last)
    WHERE position(${fieldOf('first')} IN dead_letter.payload) > 0 AND position(${fieldOf('last')} IN dead_letter.payload) > 0)`

/** What the kit itself keeps: finished jobs, events that nobody could handle, and answers to requests of the last day. */
const kitStatements: readonly string[] = [
  statement(
    'kit.job',
    `job.state IN ('done', 'failed', 'uncertain') AND (concat_ws(' ', job.payload, job.cursor, job.error) COLLATE pg_c_utf8 ~* person.sure
      OR job.payload->>'externalUserId' = person.external_user_id)`,
    'nothing',
  ),
  statement('kit.dead_letter', `${named} OR dead_letter.error COLLATE pg_c_utf8 ~* person.sure`, 'nothing'),
  writtenIn('kit.idempotency_key', ['body'], remembered, (where) => where),
]

function statementsOf(name: string, rules: readonly TableRule[]): string[] {
  const table = `"${name}"`
  const offices = rules.flatMap((rule) => (rule.kind === 'office' ? [`${table}."${rule.column}" = person.office_id`] : []))
  const within = (where: string) => [...offices, `(${where})`].join(' AND ')
  return rules.flatMap((rule) => {
    if (rule.kind === 'personal') return [statement(table, within(rule.where), rule.becomes)]
    return rule.kind === 'written' ? [writtenIn(table, rule.columns, rule.own, within)] : []
  })
}

/** The statements that erase a person in the tables of a service; each is repeated until it finds nothing. */
export const personStatements = (tables: Tables): string[] => [
  ...Object.entries(tables).flatMap(([table, rules]) => statementsOf(table, rules)),
  ...kitStatements,
]
