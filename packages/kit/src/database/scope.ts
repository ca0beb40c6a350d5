import type { Caller, Client, Employee, Id, Technical } from '../caller/index.js'

/** What a transaction may see: one office, what belongs to one client, or everything. Row-level security reads it. */
export type Scope = { readonly customerId: Id } | { readonly clientId: Id } | { readonly platform: true }

/** The whole installation: for the relay, consumers of global events, the technical account and commands. */
export const platform: Scope = { platform: true }

/** One office, where there is no caller (an event's consumer, a job). */
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

/** A scope, or a caller who has one. */
export type Scoped = Scope | Employee | Client | Technical

export const toScope = (scoped: Scoped): Scope => ('role' in scoped ? scopeOf(scoped) : scoped)

type Settings = [customerId: string, clientId: string, platform: string]

const settingsOf = (scope: Scope): Settings => [
  'customerId' in scope ? String(scope.customerId) : '',
  'clientId' in scope ? String(scope.clientId) : '',
  'platform' in scope ? 'on' : '',
]

const settings = "set_config('app.customer_id', $1, true), set_config('app.client_id', $2, true), set_config('app.platform', $3, true)"

/** The statement that sets the identity that row-level security checks, until the transaction ends. */
export const bindScope = (scope: Scope) => ({
  name: 'kit_scope',
  text: `SELECT ${settings}`,
  values: settingsOf(scope),
})

/** The same for a transaction that only reads. */
export const readScope = (scope: Scope) => ({
  name: 'kit_read_scope',
  text: `SELECT ${settings}, set_config('transaction_read_only', 'on', true)`,
  values: settingsOf(scope),
})

/** The same text for equal scopes, and another for others. */
export const scopeKey = (scope: Scope): string => settingsOf(scope).join()

/** An order of scopes, the same in every process: 0 for equal ones. */
export function compareScopes(one: Scope, other: Scope): number {
  const [first, second] = [scopeKey(one), scopeKey(other)]
  return first === second ? 0 : first < second ? -1 : 1
}

export const sameScope = (one: Scope, other: Scope) => scopeKey(one) === scopeKey(other)
