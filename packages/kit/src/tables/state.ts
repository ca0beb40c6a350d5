import type pg from 'pg'
import type { Tables } from './rules.js'
import {
  createTableRules,
  createVersionFunction,
  disableRowSecurity,
  dropPolicy,
  dropVersionTrigger,
  versionTrigger,
} from './statements.js'

/** The state of a table according to the system catalogs, with definitions as PostgreSQL prints them. */
export interface TableState {
  readonly rowSecurity: { readonly enabled: boolean; readonly forced: boolean }
  /** The definition of each policy, by its name. */
  readonly policies: Readonly<Record<string, string>>
  /** The definition of the trigger that advances `version`, followed by whether it is enabled (`tgenabled`). */
  readonly versionTrigger: string | null
  /** Whether the table has the columns `version` and `modified`. */
  readonly hasVersion: boolean
}

export interface DatabaseState {
  readonly tables: Readonly<Record<string, TableState>>
  /** The definition of the function that the triggers call. */
  readonly versionFunction: string | null
}

const statesOfTables = `
  SELECT relname AS name, jsonb_build_object('enabled', relrowsecurity, 'forced', relforcerowsecurity) AS "rowSecurity",
    (SELECT coalesce(jsonb_object_agg(policyname, concat_ws(' ', permissive, cmd, 'TO', roles, 'USING', qual, 'WITH CHECK', with_check)), '{}')
      FROM pg_policies WHERE schemaname = 'public' AND tablename = relname) AS policies,
    (SELECT concat_ws(' ', pg_get_triggerdef(trigger.oid), tgenabled) FROM pg_trigger AS trigger
      WHERE tgrelid = pg_class.oid AND tgname = '${versionTrigger}') AS "versionTrigger",
    (SELECT count(*) = 2 FROM pg_attribute WHERE attrelid = pg_class.oid AND attname IN ('version', 'modified')) AS "hasVersion"
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations' ORDER BY 1`

const stateOfFunction = `
  SELECT pg_get_functiondef(oid) AS definition FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = '${versionTrigger}'`

/** The present state of the tables of the schema `public`. */
export async function readState(owner: pg.ClientBase): Promise<DatabaseState> {
  const { rows: tables } = await owner.query<TableState & { name: string }>(statesOfTables)
  const { rows: functions } = await owner.query<{ definition: string }>(stateOfFunction)
  return {
    tables: Object.fromEntries(tables.map(({ name, ...state }) => [name, state])),
    versionFunction: functions[0]?.definition ?? null,
  }
}

/**
 * The state that the rules demand, as PostgreSQL prints it: the rules are applied in a transaction, which is rolled back after the state was read.
 * @throws Error when the rules and the database do not name the same tables
 */
export async function declaredState(owner: pg.ClientBase, tables: Tables): Promise<DatabaseState> {
  await owner.query('BEGIN')
  try {
    const { tables: present } = await readState(owner)
    const unknown = Object.keys(tables).filter((table) => !present[table])
    const undeclared = Object.keys(present).filter((table) => !tables[table])
    if (unknown.length > 0) throw new Error(`There is no table ${unknown.join(', ')}.`)
    if (undeclared.length > 0) throw new Error(`No rule is declared for ${undeclared.join(', ')}.`)
    for (const [table, { policies }] of Object.entries(present)) {
      const removed = Object.keys(policies).map((name) => dropPolicy(table, name))
      await owner.query([...removed, ...disableRowSecurity(table), dropVersionTrigger(table)].join('\n'))
    }
    await owner.query(createVersionFunction)
    for (const [table, rules] of Object.entries(tables)) await owner.query(createTableRules(table, rules).join('\n'))
    return await readState(owner)
  } finally {
    await owner.query('ROLLBACK')
  }
}
