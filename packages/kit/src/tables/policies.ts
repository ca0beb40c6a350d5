import type { TableRule } from './rules.js'

/*
 * Settings of the transaction (`Scope` of kit/database). Each is read by a subselect, which PostgreSQL evaluates once per statement. The planner then
 * expects many rows to pass the policy, and reads a page of a list from an index.
 */
const setting = (name: string) => `NULLIF(current_setting('app.${name}', true), '')`
/** SQL of type bigint: the office in whose scope the transaction runs, or NULL. */
export const currentOffice = `(SELECT ${setting('customer_id')}::bigint)`
/** SQL of type bigint: the client in whose scope the transaction runs, or NULL. */
export const currentClient = `(SELECT ${setting('client_id')}::bigint)`
/** SQL of type text: `prefix` followed by the id of that client, or NULL. */
export const currentClientText = (prefix: string) => `(SELECT '${prefix}' || ${setting('client_id')})`
const isPlatform = "(SELECT current_setting('app.platform', true) = 'on')"
const openOffices = '((SELECT "client_offices"())::bigint[])'

/** One policy of a table, as in CREATE POLICY. */
export interface Policy {
  readonly name: string
  readonly command: 'ALL' | 'SELECT' | 'UPDATE'
  readonly using: string
  readonly check?: string
  /** The role to which the policy applies (TO). Default every role. */
  readonly role?: 'CURRENT_USER'
}

/** The policies that implement a rule; none for rules that are not about row-level security. */
export function policiesOf(rule: TableRule): Policy[] {
  switch (rule.kind) {
    case 'office':
      return [{ name: 'tenant', command: 'ALL', using: `"${rule.column}" = ${currentOffice} OR ${isPlatform}` }]
    case 'platform':
      return [{ name: 'platform', command: 'ALL', using: isPlatform }]
    case 'readable':
      return [{ name: rule.name, command: 'SELECT', using: rule.where }]
    case 'readable-by-owner':
      return [{ name: 'owner', command: 'SELECT', using: 'true', role: 'CURRENT_USER' }]
    case 'client': {
      const own = `"${rule.column}" = ${currentClient}`
      const using = rule.atOpenOffices ? `${own} AND "customer_id" = ANY (${openOffices})` : own
      const lock: Policy = { name: 'own_lock', command: 'UPDATE', using, check: 'false' }
      return [{ name: 'own', command: 'SELECT', using }, ...(rule.mayLock ? [lock] : [])]
    }
    case 'unprotected':
    case 'of-office':
    case 'outlives-offices':
    case 'secret':
    case 'personal':
    case 'written':
    case 'impersonal':
    case 'versioned':
    case 'foreign-ids':
    case 'imported':
    case 'not-imported':
      return []
    default:
      return rule satisfies never
  }
}
