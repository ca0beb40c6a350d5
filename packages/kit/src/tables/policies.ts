import type { TableRule } from './rules.js'

/*
 * Settings of the transaction (`Scope` of kit/database). Each stands in a SELECT of its own, which PostgreSQL evaluates once for a
 * statement: the planner then knows that many rows may pass, and reads a page from an index.
 */
const setting = (name: string) => `NULLIF(current_setting('app.${name}', true), '')`
/** The office whose transaction it is: SQL of type bigint, NULL when there is none. */
export const currentOffice = `(SELECT ${setting('customer_id')}::bigint)`
/** The client whose transaction it is: SQL of type bigint, NULL when there is none. */
export const currentClient = `(SELECT ${setting('client_id')}::bigint)`
/** The id of the client after a prefix: SQL of type text, NULL when there is none. */
export const currentClientText = (prefix: string) => `(SELECT '${prefix}' || ${setting('client_id')})`
const isPlatform = "(SELECT current_setting('app.platform', true) = 'on')"
const openOffices = '((SELECT "client_offices"())::bigint[])'

/** One policy of a table, as in CREATE POLICY. */
export interface Policy {
  readonly name: string
  readonly command: 'ALL' | 'SELECT' | 'UPDATE'
  readonly using: string
  readonly check?: string
  /** The one role that it is for; without it, every role. */
  readonly role?: 'CURRENT_USER'
}

/** The policies that a rule stands for. */
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
