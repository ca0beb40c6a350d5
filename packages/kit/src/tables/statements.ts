import { type Policy, policiesOf } from './policies.js'
import type { TableRule } from './rules.js'

/** The name of the trigger, and of its function. */
export const versionTrigger = 'advance_version'

/** `clock_timestamp()`, not `now()`: a transaction that waited for the lock of a row modifies it later than the one that held the lock. */
export const createVersionFunction = `CREATE OR REPLACE FUNCTION "${versionTrigger}"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."version" := OLD."version" + 1;
    NEW."modified" := greatest(clock_timestamp(), OLD."modified");
    RETURN NEW;
END
$$;`

/** Whether row-level security is enabled and forced for a table of these rules: for all but `unprotected` ones. */
export const isProtected = (rules: readonly TableRule[]) => !rules.some(({ kind }) => kind === 'unprotected')

export const enableRowSecurity = (table: string): string[] => [
  `ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY;`,
  `ALTER TABLE "${table}" FORCE ROW LEVEL SECURITY;`,
]

export const disableRowSecurity = (table: string): string[] => [
  `ALTER TABLE "${table}" DISABLE ROW LEVEL SECURITY;`,
  `ALTER TABLE "${table}" NO FORCE ROW LEVEL SECURITY;`,
]

export function createPolicy(table: string, { name, command, using, check, role }: Policy): string {
  const target = `${command === 'ALL' ? '' : ` FOR ${command}`}${role ? ` TO ${role}` : ''}`
  return `CREATE POLICY "${name}" ON "${table}"${target} USING (${using})${check ? ` WITH CHECK (${check})` : ''};`
}

export const dropPolicy = (table: string, name: string) => `DROP POLICY "${name}" ON "${table}";`

/** @returns nothing for a table that is not versioned */
export function createVersionTrigger(table: string, rules: readonly TableRule[]): string[] {
  const rule = rules.find(({ kind }) => kind === 'versioned')
  if (rule?.kind !== 'versioned') return []
  const condition = rule.except ? ` WHEN (NEW."${rule.except}" IS NOT DISTINCT FROM OLD."${rule.except}")` : ''
  const trigger = `CREATE TRIGGER "${versionTrigger}" BEFORE UPDATE ON "${table}" FOR EACH ROW${condition}`
  return [`${trigger} EXECUTE FUNCTION "${versionTrigger}"();`]
}

export const dropVersionTrigger = (table: string) => `DROP TRIGGER IF EXISTS "${versionTrigger}" ON "${table}";`

/** The statements that apply the rules to a new table. */
export const createTableRules = (table: string, rules: readonly TableRule[]): string[] => [
  ...(isProtected(rules) ? enableRowSecurity(table) : []),
  ...rules.flatMap(policiesOf).map((policy) => createPolicy(table, policy)),
  ...createVersionTrigger(table, rules),
]
