import { asOwner } from './as-owner.js'
import { policiesOf } from './policies.js'
import type { TableRule, Tables } from './rules.js'
import { type DatabaseState, declaredState, readState, type TableState } from './state.js'
import {
  createPolicy,
  createVersionFunction,
  createVersionTrigger,
  disableRowSecurity,
  dropPolicy,
  dropVersionTrigger,
  enableRowSecurity,
  isProtected,
} from './statements.js'

/**
 * The SQL statements that make a database conform to the rules of its tables; none when it does already.
 * @param ownerUrl address of the database, as the owner of the tables, which are locked for a moment
 * @throws Error when the rules and the database do not name the same tables, or a table with the columns `version` and `modified` is not
 *   `versioned`
 */
export function missingStatements(ownerUrl: string, tables: Tables): Promise<string[]> {
  return asOwner(ownerUrl, async (owner) => differences(tables, await readState(owner), await declaredState(owner, tables)))
}

function differences(tables: Tables, actual: DatabaseState, declared: DatabaseState): string[] {
  const changes = Object.entries(tables).flatMap(([table, rules]) => {
    const [before, after] = [actual.tables[table], declared.tables[table]]
    if (!before || !after) throw new Error(`${table} was dropped meanwhile.`)
    if (after.hasVersion && !after.versionTrigger)
      throw new Error(`${table} has the columns version and modified, but is not declared versioned().`)
    return changesOf(table, rules, before, after)
  })
  const needsFunction = Object.values(declared.tables).some(({ versionTrigger }) => versionTrigger)
  return needsFunction && actual.versionFunction !== declared.versionFunction ? [createVersionFunction, ...changes] : changes
}

function changesOf(table: string, rules: readonly TableRule[], before: TableState, after: TableState): string[] {
  const { enabled, forced } = after.rowSecurity
  const sameSwitches = before.rowSecurity.enabled === enabled && before.rowSecurity.forced === forced
  const sameTrigger = before.versionTrigger === after.versionTrigger
  const differs = (name: string) => before.policies[name] !== after.policies[name]
  return [
    ...(sameSwitches ? [] : isProtected(rules) ? enableRowSecurity(table) : disableRowSecurity(table)),
    ...Object.keys(before.policies)
      .filter(differs)
      .map((name) => dropPolicy(table, name)),
    ...rules
      .flatMap(policiesOf)
      .filter(({ name }) => differs(name))
      .map((policy) => createPolicy(table, policy)),
    ...(sameTrigger ? [] : [...(before.versionTrigger ? [dropVersionTrigger(table)] : []), ...createVersionTrigger(table, rules)]),
  ]
}
