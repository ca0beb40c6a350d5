import { of } from './of.mjs'

const tenancy = 'packages/kit/test/database/tenancy.test.ts'
const write = 'packages/kit/test/database/write.test.ts'
const transactions = 'packages/kit/test/database/transactions.test.ts'
const lost = 'packages/kit/test/database/lost-connections.test.ts'
const nested = 'packages/kit/test/database/nested-writes.test.ts'
const ofPrisma = 'packages/kit/test/database/prisma-transactions.test.ts'
const deferred = 'packages/kit/test/database/deferred.test.ts'
const claimed = 'packages/kit/test/database/claimed-keys.test.ts'
const idempotency = 'packages/kit/test/database/idempotency.test.ts'
const reads = 'packages/kit/test/database/resource-reads.test.ts'
const named = 'packages/kit/test/database/references.test.ts'
const idField = 'packages/kit/test/database/id-field.test.ts'
const embedded = 'packages/kit/test/database/embedded-reads.test.ts'
const batch = 'packages/kit/test/database/batch.test.ts'
const groups = 'packages/kit/test/database/grouped-batch.test.ts'
const notify = 'packages/kit/test/database/notify.test.ts'
const migrations = 'packages/kit/test/database/migrate.test.ts'
const limits = 'packages/kit/test/limits/limits.test.ts'
const pipelined = 'packages/kit/test/database/pipelined-reads.test.ts'
const spans = 'packages/kit/test/tracing/database.test.ts'
const quickLists = 'packages/kit/src/database/resources/quick-lists.test.ts'

/** Tenants, transactions, idempotency keys. */
export default [
  ...of('packages/kit/src/database/connections/scoped-pool.ts', lost, [
    ['if (this.idleCount === 0) throw error', 'throw error', 'is replaced by one that is idle by then'],
  ]),
  ...of('packages/kit/src/database/connections/scoped-pool.ts', spans, [
    ['pipelined && !runningSpan()', 'pipelined', 'is a span below its own request when others arrive in the same turn'],
  ]),
  ...of('packages/kit/src/database/connections/pipelined-reads.ts', pipelined, [
    ['const max = 8', 'const max = 80', 'a packet has at most eight reads'],
    ['isNotPrepared(error) || ', '', 'has its own error'],
    [' || error instanceof PacketAborted', '', 'delays those after it by one timeout'],
    ['answer.catch(abort)', 'answer.catch(() => undefined)', 'delays those after it by one timeout'],
    ['answers.slice(0, -1)', 'answers', 'keeps its connection when no other read waits for it'],
    [
      'connection.readAll(reads)',
      'connection.readAll(reads.map(({ statement }) => ({ ...reads[0], statement })))',
      'each under its own scope',
    ],
  ]),
  ...of('packages/kit/src/database/connections/scoped-client.ts', pipelined, [
    ['    corkForThisTick(this.connection.stream)\n    return reads', '    return reads', 'are one write to the socket'],
  ]),
  ...of('packages/kit/src/database/transactions/reader.ts', pipelined, [
    ["['findFirst', 'findFirstOrThrow']", '[]', 'findFirst is one of them'],
    ["['findFirst', 'findFirstOrThrow']", "['findFirst', 'findMany']", 'findMany is not'],
  ]),
  ...of('packages/kit/src/database/resources/resource-reads.ts', quickLists, [
    ['search === undefined && ', '', 'with a search is not'],
    ['!slow.has(sort.field) && ', '', 'in an unindexed order is not'],
    ['&& !Object.keys(filters).some((name) => slow.has(name))', '', 'by an unindexed filter is not'],
  ]),
  ...of('packages/kit/src/migrations/migrations.ts', migrations, [
    ['finished_at IS NOT NULL AND rolled_back_at IS NULL', 'rolled_back_at IS NULL', 'does not count a failed migration as applied'],
    ['filter((name) => !applied.has(name))', 'filter((name) => applied.has(name))', 'names the migrations that are not applied'],
  ]),
  ...of('packages/kit/src/migrations/service-role.ts', migrations, [
    ['GRANT SELECT (migration_name', 'GRANT SELECT (id', 'may change nothing else'],
    [
      'GRANT SELECT (migration_name',
      'GRANT DELETE ON ${schema}._prisma_migrations TO ${role}; GRANT SELECT (migration_name',
      'may change nothing else',
    ],
  ]),
  ...of('packages/kit/src/database/scope.ts', tenancy, [
    ["'customerId' in scope ? String(scope.customerId) : ''", "''", 'is the office of an employee'],
    ["'clientId' in scope ? String(scope.clientId) : ''", "''", 'is the office of an employee'],
    ["'platform' in scope ? 'on' : ''", "'on'", 'never sees rows of another one'],
    [
      "set_config('app.customer_id', $1, true)",
      "set_config('app.customer_id', $1, false)",
      'leaves no setting of its scope on the connection',
    ],
    [", set_config('transaction_read_only', 'on', true)", '', 'of a query cannot write'],
    ["case 'client':\n      return { clientId: caller.userId }", "case 'client':\n      return platform", 'is the office of an employee'],
  ]),
  ...of('packages/kit/src/database/transactions/context.ts', tenancy, [
    [
      "if (!context) throw new Error('A statement outside of read, query and write has no scope.')\n  return context",
      'return context ?? { scope: { platform: true } }',
      'without a scope throws',
    ],
  ]),
  ...of('packages/kit/src/database/connections/scoped-client.ts', write, [
    ['this.#bound && sameScope(scope, this.#bound) ?', 'this.#bound ?', 'runs each statement under the scope of its own call'],
  ]),
  ...of('packages/kit/src/database/transactions/transaction.ts', transactions, [
    ['mustRunAt(outer.transaction.isolation, isolation)', '', 'has the isolation level of its transaction', nested],
    ['await frame.undo()', '', 'that fails is rolled back before its connection is used again'],
  ]),
  ...of('packages/kit/src/database/transactions/frame.ts', transactions, [
    ['`ROLLBACK TO SAVEPOINT ${savepoint}`, ', '', 'is rolled back alone when it fails inside of another one', write],
    ['if (this.#inner) throw notOnTop()', '', 'throws before it is sent', nested],
    ['if (this.#nested > 0) throw notAwaited()', '', 'that is not awaited makes the outer write fail', nested],
    ['await Promise.allSettled(this.#unanswered)', '', 'and fails when one of them does', nested],
    ['if (control.test(text)) throw controls()', '', 'a transaction'],
    ['    await before\n', '', 'takes turns with others that begin at the same time', ofPrisma],
    [
      "async keep(last?: Statement): Promise<void> {\n    if (this.#state !== 'open') throw ended()",
      'async keep(last?: Statement): Promise<void> {',
      'a transaction',
    ],
    [
      'return !isUncertain(error) && isTransient(this.#failure, error) ? this.#failure : error',
      'return error',
      'before COMMIT was sent makes the work run again',
      lost,
    ],
  ]),
  ...of('packages/kit/src/database/connections/scoped-client.ts', lost, [
    ["if (command === 'ROLLBACK') throw", 'if (false) throw', 'is an error'],
    ['if (last && isRefusal(error)) await this.rollback()', '', 'is rolled back when its answer cannot be stored', deferred],
    ['if (silenceMs) this.once', 'if (false) this.once', 'is closed a second after the statement timeout of a waiting statement'],
  ]),
  ...of('packages/kit/src/database/connections/silence.ts', lost, [
    ['if (!client.readyForQuery) stream.destroy', 'stream.destroy', 'is kept where no statement waits'],
  ]),
  ...of('packages/kit/src/database/connections/pool-settings.ts', lost, [
    ['lockTimeoutMs = 2000', 'lockTimeoutMs = 0', 'are set by default'],
    ['idleInTransactionTimeoutMs = 10_000', 'idleInTransactionTimeoutMs = 0', 'are set by default'],
  ]),
  ...of('packages/kit/src/database/connections/connection-breaker.ts', lost, [
    ['await breaker.execute(open)', 'await open()', 'gets one attempt at a time once it has refused some'],
    ['? breaker.lastFailure', '? undefined', 'gets one attempt at a time once it has refused some'],
    ['const pauseMs = 50', 'const pauseMs = 60_000', 'gets one attempt at a time once it has refused some'],
  ]),
  ...of('packages/kit/src/database/transactions/repeat.ts', lost, [
    ['isLost(error) && performance.now()', 'false && performance.now()', 'gets no further attempt a second after the first refusal'],
  ]),
  ...of('packages/kit/src/database/errors.ts', lost, [
    ['|error establishing an SSL connection', '', 'is unavailable also when it refuses before TLS begins'],
  ]),
  ...of('packages/kit/src/database/transactions/repeat.ts', write, [
    ['failures === tries || ', '', 'fails after the third try'],
    ['const tries = 3', 'const tries = 2', 'fails after the third try'],
    ['|| !repeatable(error)', '', 'runs once when a statement violates a constraint'],
  ]),
  ...of('packages/kit/src/database/errors.ts', write, [
    ["'40001': 'rolled-back',", '', 'runs again after a serialization failure'],
    [
      "trouble === 'rolled-back' || trouble === 'lost'",
      "trouble === 'rolled-back'",
      'runs again when the connection is lost before the commit',
    ],
    [
      "violations.includes(code ?? '') && violated === constraint",
      "violations.includes(code ?? '')",
      'of a unique constraint becomes the error of the repository',
    ],
  ]),
  ...of('packages/kit/src/database/transactions/deferred.ts', deferred, [
    ['keeps(result) && (await', '(await', 'keeps only the answer when its status is from 400 on'],
    ['if (this.#isRefusal(failure)) throw failure', '', 'answers a duplicate with the first answer'],
    ['if (this.#over) throw ended()', '', 'rejects writes that its handler begins after it has failed'],
    [
      'const transaction = new DeferredTransaction(pool, begin, isRefusal)',
      'const transaction = new DeferredTransaction(pool, begin, isRefusal)\n      await transaction.begin()',
      'takes no connection before the handler writes',
    ],
  ]),
  ...of('packages/kit/src/caller/index.ts', idempotency, [
    [
      "`${subjectKey(subjectOf(caller))}@${caller.customerId ?? ''}`",
      "`${caller.userId}@${caller.customerId ?? ''}`",
      'belongs to the kind',
    ],
    ["`${subjectKey(subjectOf(caller))}@${caller.customerId ?? ''}`", 'subjectKey(subjectOf(caller))', 'belongs to the kind'],
  ]),
  ...of('packages/kit/src/database/idempotency/idempotency.ts', idempotency, [
    ['if (first.digest !== digest) throw reused()', '', 'with another body is a conflict'],
    ['throw first.lapsed ? abandoned() : new InFlight()', 'throw new InFlight()', 'is in use until its lease has expired', claimed],
  ]),
  ...of('packages/kit/src/database/resources/keep-newest.ts', 'packages/kit/test/database/keep-newest.test.ts', [
    ['} < excluded.revision`', '} <= excluded.revision`', 'keeps the highest revision of each row'],
    ['} < excluded.revision`', '} <> excluded.revision`', 'keeps the highest revision of each row'],
    ['if (row.revision > (newest.get(id)?.revision ?? -Infinity)) newest', 'newest', 'when one call has several'],
    ['      ORDER BY ${listed(key)}\n', '', 'write the same rows in another order'],
  ]),
  ...of('packages/kit/src/database/resources/resource-statements.ts', reads, [
    ["select.where(column, '=', new Param<Owned>(({ owner }) => idOf(owner)))", 'select', 'every statement has a condition on the owner'],
    ['({ limit }) => limit + 1', '({ limit }) => limit', 'has the same order page by page as in one page'],
    ["'modified', '>=', list.modifiedSince", "'modified', '>', list.modifiedSince", 'contains the rows that match all filters'],
    ['wire === id ? first : first.orderBy(id, direction)', 'first', 'has the same order page by page as in one page'],
  ]),
  ...of('packages/kit/src/database/resources/resource-reads.ts', reads, [
    ['requireVersion(row, expected)', '', 'for a version that is not the current one'],
    ['rows.slice(0, limit)', 'rows', 'has the same order page by page as in one page'],
    ['return [office, ...person]', 'return [office]', 'belongs to one employee of the office'],
    ['[idColumn.name] as Id', '.id as Id', 'pages through lists, with that field as the tiebreaker', idField],
    [
      'embeddedColumns ? withStoredRows(list, listStored) : list',
      'withStoredRows(list, listStored)',
      'become records where objects are embedded by a function',
      'packages/kit/test/http/embedded-rows.test.ts',
    ],
    [
      'fromText[column.field.sql](text)',
      'text',
      'lead to the same next page in the order of',
      'packages/kit/test/http/stored-rows.test.ts',
    ],
  ]),
  ...of('packages/kit/src/database/resources/references.ts', named, [
    ['if (id != null) ', 'if (id !== undefined) ', 'name no record where they are null or were not sent'],
    ['reads.keep(tx, caller, [id])', 'reads.some(caller, [id])', 'is missing when another transaction has deleted it first'],
  ]),
  ...of('packages/kit/src/database/resources/embedding.ts', embedded, [
    [
      'return object ? [{ ...record, [name]: object }] : []',
      'return [{ ...record, [name]: object }]',
      'whose embedded object is not found',
    ],
    ['if (records.length === 0) break', '', 'cause no read of embedded objects when there are none'],
  ]),
  ...of('packages/kit/src/database/resources/resource-queries.ts', reads, [
    ['selectRecord(owned).forUpdate()', 'selectRecord(owned)', 'returns the current row'],
    ['selectSome(owned).forKeyShare()', 'selectSome(owned)', 'cannot be deleted before that transaction has ended', named],
  ]),
  ...of('packages/kit/src/database/resources/embedded-rows.ts', 'packages/kit/test/http/embedded-rows.test.ts', [
    [
      'sql`left(${column}::text, 1)`',
      'sql`${column}::text`',
      'have the embedded objects that the statement finds, in its order, and none where it finds none',
    ],
    ['valueReader(columns, from)', 'valueReader(columns)', 'are encoded byte for byte as their records, with embedded and nested objects'],
  ]),
  ...of('packages/kit/src/database/resources/resource-statements.ts', embedded, [
    ['Object.entries(where).reduce', 'Object.entries({} as typeof where).reduce', 'are those that match its'],
  ]),
  ...of('packages/kit/src/database/resources/keyset.ts', reads, [
    ['descending ? sql<boolean>`(${later} OR ${sorted} IS NOT NULL)` : later', 'later', 'has the same order page by page as in one page'],
    ['nullable && !descending ?', 'false ?', 'has the same order page by page as in one page'],
  ]),
  ...of('packages/kit/src/database/transactions/batch.ts', batch, [
    ['const frame = runningFrame(contexts) ??', 'const frame =', 'inside of a write is part of its transaction'],
    ['notify(channel, payload)\n      return', 'void [channel, payload]\n      return', 'sends notifications after the commit'],
    ['connection.knows(known) && !runningSpan()', 'false', 'is one packet with its commit'],
  ]),
  ...of('packages/kit/src/database/connections/scoped-client.ts', batch, [
    ['silently(bindScope(scope))', 'silently(bindScope({ platform: true }))', 'is bound to its tenant'],
  ]),
  ...of('packages/kit/src/database/connections/scoped-client.ts', groups, [
    ['silently(bindScope(scope))', 'silently(bindScope(batches[0]?.scope ?? scope))', 'each batch of a group runs under its own scope'],
    ['answers.splice(0, statements.length)', 'answers.slice(0, statements.length)', 'share the next transaction'],
  ]),
  ...of('packages/kit/src/database/transactions/group-commit.ts', 'packages/kit/src/database/transactions/group-commit.test.ts', [
    ['for (const { timer } of group) clearTimeout(timer)', '', 'one whose transaction has begun is not'],
    ['waiting.splice(waiting.indexOf(entry), 1)', '', 'is rejected and not committed'],
  ]),
  ...of('packages/kit/src/database/transactions/grouped-batches.ts', groups, [
    ['commit(ordered, waitShortly)', 'commit(ordered)', 'a batch that waits for a lock does not delay those of other offices'],
    ['batches.toSorted((one, other) => compareScopes(one.scope, other.scope))', 'batches', 'share the next transaction'],
    ['answersTo.get(batch)', 'answersTo.get(batches[0] as typeof batch)', 'share the next transaction'],
    ['if (isUncertain(error) ||', 'if (false ||', 'the outcome of each batch of a group is unknown'],
    ['return undefined', 'throw translate(error)', 'is rejected alone'],
    ['return batches.map(commitAlone)', 'throw translate(error)', 'is rejected alone'],
    ['batches.map(commitApart)', 'batches.map(commitAlone)', 'an office whose rows are locked occupies one connection'],
    ['apart.has(scopeKey(batch.scope)) ?', 'false ?', 'an office whose rows are locked occupies one connection'],
    ['if (ofScope.waiting === 0) apart.delete(key)', '', 'an office whose rows are locked occupies one connection'],
    ['const groupOptions = { max, waitMs }', 'const groupOptions = { waitMs }', 'a transaction takes at most 50 batches'],
    ['const groupOptions = { max, waitMs }', 'const groupOptions = { max }', 'is rejected after the connection timeout'],
  ]),
  ...of('packages/kit/src/database/connections/notifier.ts', notify, [
    ['sending ??= outsideOfRequests(sendPending)', 'void outsideOfRequests(sendPending)', 'sends the same payload once'],
    ['drained: async () => sending', 'drained: async () => undefined', 'is sent before a database is closed'],
    ['pending.set(`${channel} ${payload}`,', 'pending.set(channel,', 'sends the same payload once'],
  ]),
  ...of('packages/kit/src/limits/postgres-limits.ts', limits, [
    ['keyPrefix: name', "keyPrefix: ''", 'counts by key and by name'],
    ['used.consumedPoints >= limiter.points', 'used.consumedPoints > limiter.points', 'refuses when one of several keys is used up'],
    [
      'inMemoryBlockOnConsumed: points + 1',
      'inMemoryBlockOnConsumed: 0',
      'refuses from memory where the rule allows it, and otherwise queries the database',
    ],
    ['limiter.delete(key)', 'limiter.get(key)', 'does not count checks, and is reset by clear'],
    [': unavailable(reason)', ': reason', 'fails closed without the database'],
  ]),
  ...of('packages/kit/src/limits/limit.ts', limits, [
    ['if (other) throw other', '', 'fail by another error before any refusal'],
    ['(waitOf(b) ?? 0) - (waitOf(a) ?? 0)', '(waitOf(a) ?? 0) - (waitOf(b) ?? 0)', 'refuse for as long as the longest'],
  ]),
]
