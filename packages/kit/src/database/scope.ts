import type { Caller, Client, Employee, Id, Technical } from '../caller/index.js'

/** The rows that a transaction may access by row-level security: those of one office, those of one client, or all. */
export type Scope = { readonly customerId: Id } | { readonly clientId: Id } | { readonly platform: true }

/** The scope of all rows: for the relay, consumers of global events, the technical account and commands. */
export const platform: Scope = { platform: true }

/** The scope of one office, for code without a caller (a consumer, a job). */
export const office = (customerId: Id): Scope => ({ customerId })

/** The scope of a signed-in person: an employee's office, a client's own records, the platform for the technical account. */
function scopeOf(caller: Caller): Scope {
  switch (caller.role) {
    case 'client':
      return { clientId: caller.userId }
    case 'technical':
      return platform
    default:
      return { customerId: caller.customerId }
  }
}

/** A scope, or a caller, who stands for their own. */
export type Scoped = Scope | Employee | Client | Technical

export const toScope = (scoped: Scoped): Scope => ('role' in scoped ? scopeOf(scoped) : scoped)

type Settings = [customerId: string, clientId: string, platform: string]

const settingsOf = (scope: Scope): Settings => [
  'customerId' in scope ? String(scope.customerId) : '',
  'clientId' in scope ? String(scope.clientId) : '',
  'platform' in scope ? 'on' : '',
]

const settings = "set_config('app.customer_id', $1, true), set_config('app.client_id', $2, true), set_config('app.platform', $3, true)"

/** The statement that sets the settings that row-level security reads, until the transaction ends. */
export const bindScope = (scope: Scope) => ({
  name: 'kit_scope',
  text: `SELECT ${settings}`,
  values: settingsOf(scope),
})

/** As `bindScope`, and makes the transaction read-only. */
export const readScope = (scope: Scope) => ({
  name: 'kit_read_scope',
  text: `SELECT ${settings}, set_config('transaction_read_only', 'on', true)`,
  values: settingsOf(scope),
})

/** A text that is the same for equal scopes only. */
export const scopeKey = (scope: Scope): string => settingsOf(scope).join()

/** Compares scopes for `sort`, in the same order in every process; 0 for equal ones. */
export function compareScopes(one: Scope, other: Scope): number {
  const [first, second] = [scopeKey(one), scopeKey(other)]
  return first === second ? 0 : first < second ? -1 : 1
}

export const sameScope = (one: Scope, other: Scope) => scopeKey(one) === scopeKey(other)
