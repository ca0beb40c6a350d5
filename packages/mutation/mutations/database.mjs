import { of } from './of.mjs'

const tenancy = 'packages/kit/test/database/tenancy.test.ts'
const write = 'packages/kit/test/database/write.test.ts'
const idempotency = 'packages/kit/test/database/idempotency.test.ts'
const reads = 'packages/kit/test/database/resource-reads.test.ts'

/** Tenants, transactions, idempotency keys. */
export default [
  ...of('packages/kit/src/database/scope.ts', tenancy, [
    ["'customerId' in scope ? String(scope.customerId) : ''", "''", 'is the office of an employee'],
    ["'clientId' in scope ? String(scope.clientId) : ''", "''", 'is the office of an employee'],
    ["'platform' in scope ? 'on' : ''", "'on'", 'never sees another'],
    ["set_config('app.customer_id', $1, true)", "set_config('app.customer_id', $1, false)", 'leaves nothing on the connection'],
    [", set_config('transaction_read_only', 'on', true)", '', 'cannot write while it reads'],
    ["case 'client':\n      return { clientId: caller.userId }", "case 'client':\n      return platform", 'is the office of an employee'],
  ]),
  ...of('packages/kit/src/database/context.ts', tenancy, [
    [
      "if (!context) throw new Error('A statement outside of read, query and write has no scope.')\n  return context.scope",
      'return context?.scope ?? { platform: true }',
      'without a scope throws',
    ],
    ['transaction?.over ? undefined : transaction', 'transaction', 'is not joined by what is left over when its work is done', write],
  ]),
  ...of('packages/kit/src/database/scoped-client.ts', write, [
    ['!sameScope(scope, this.#bound)', 'false', 'runs each statement under the scope of its own call'],
  ]),
  ...of('packages/kit/src/database/transaction.ts', write, [
    ['send(`ROLLBACK TO SAVEPOINT ${name}`)', '', 'undoes what it joined with when it fails'],
  ]),
  ...of('packages/kit/src/database/errors.ts', write, [
    ["'40001': 'rolled-back',", '', 'runs again after a serialization failure'],
    [
      "trouble === 'rolled-back' || (trouble === 'lost' && !committing)",
      "trouble === 'rolled-back' || trouble === 'lost'",
      'does not run again when nobody knows whether it was committed',
    ],
    [
      "trouble === 'rolled-back' || (trouble === 'lost' && !committing)",
      "trouble === 'rolled-back'",
      'runs again when the connection is lost before the commit',
    ],
  ]),
  ...of('packages/kit/src/database/idempotency.ts', idempotency, [
    ["interval '24 hours'", "interval '25 hours'", 'is free again after a day'],
    ['if (firstHash !== bodyHash) throw reused()', '', 'with another body is a conflict'],
  ]),
  ...of('packages/kit/src/database/keep-newest.ts', 'packages/kit/test/database/keep-newest.test.ts', [
    ["'<', 'excluded.revision'", "'<=', 'excluded.revision'", 'keeps the highest revision of each thing'],
    ["'<', 'excluded.revision'", "'<>', 'excluded.revision'", 'keeps the highest revision of each thing'],
  ]),
  ...of('packages/kit/src/database/resource-statements.ts', reads, [
    [
      ".selectFrom(resource.table).where(ownerColumn, '=', owner) as Select",
      '.selectFrom(resource.table) as never as Select',
      'of another office is as unknown',
    ],
    ['({ limit }) => limit + 1', '({ limit }) => limit', 'is paged by keyset in every order'],
    ["'modified', '>=', list.modifiedSince", "'modified', '>', list.modifiedSince", 'lets through what every filter does'],
    ["ordered = column === 'id' ? sorted : sorted.orderBy('id', direction)", 'ordered = sorted', 'is paged by keyset in every order'],
  ]),
  ...of('packages/kit/src/database/resource-reads.ts', reads, [
    ['selectRecord(owned).forUpdate()', 'selectRecord(owned)', 'makes the next one wait'],
    ['expected !== undefined && row.version !== expected', 'false', 'refuses a version that is no longer the current one'],
    ['items: rows.slice(0, query.limit)', 'items: rows', 'is paged by keyset in every order'],
  ]),
  ...of('packages/kit/src/database/keyset.ts', reads, [
    ['descending ? sql<boolean>`(${later} OR ${sorted} IS NOT NULL)` : later', 'later', 'is paged by keyset in every order'],
    ['nullable && !descending ?', 'false ?', 'is paged by keyset in every order'],
  ]),
]
