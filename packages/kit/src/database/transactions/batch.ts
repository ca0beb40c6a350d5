import type pg from 'pg'
import { runningSpan, traced } from '../../tracing/index.js'
import type { ScopedClient } from '../connections/scoped-client.js'
import type { ScopedPool } from '../connections/scoped-pool.js'
import type { Statement } from '../connections/statement.js'
import { translated } from '../errors.js'
import { bindScope, type Scope, type Scoped, toScope } from '../scope.js'
import type { BatchStatement } from '../statements/batch-statement.js'
import { toStatement } from '../statements/statements.js'
import type { Database } from '../types.js'
import { type Contexts, runningFrame } from './context.js'
import { Frame } from './frame.js'
import type { Repeat } from './repeat.js'
import { transactionStep } from './transaction.js'

/** The `batch` of a database. */
export function createBatch(
  contexts: Contexts,
  pool: ScopedPool,
  notify: Database<unknown>['notify'],
  repeat: Repeat,
): Database<unknown>['batch'] {
  const transactionOf = async (statements: readonly Statement[], scope: Scope) => {
    const connection = await pool.lend()
    try {
      // Of a trace that is recorded each statement is a step.
      const isOneMessage = connection.knows([bindScope(scope), ...statements]) && !runningSpan()
      return await (isOneMessage ? connection.commitAll(statements, scope) : commitInFrame(connection, statements, scope))
    } finally {
      connection.release(connection.lost)
    }
  }

  return async <Row>(scoped: Scoped, ...statements: readonly [BatchStatement<Row>, ...BatchStatement[]]) => {
    const scope = toScope(scoped)
    const sent = statements.map(toStatement)
    const frame = runningFrame(contexts) ?? (await contexts.getStore()?.deferred?.begin())
    const [first] = frame
      ? await frame.sendAll(sent, scope)
      : await traced(transactionStep, () => translated(repeat(() => transactionOf(sent, scope))))
    for (const { channel, payload } of statements.flatMap(({ notifies = [] }) => notifies)) notify(channel, payload)
    return first?.rows as Row[]
  }
}

/** Statements as one transaction, whose COMMIT is a message of its own. */
export async function commitInFrame(connection: ScopedClient, statements: readonly Statement[], scope: Scope): Promise<pg.QueryResult[]> {
  const frame = Frame.begin(connection, 'ReadCommitted')
  try {
    const answers = await frame.sendAll(statements, scope)
    await frame.keep()
    return answers
  } catch (error) {
    await frame.undo()
    throw frame.reasonOf(error)
  }
}
