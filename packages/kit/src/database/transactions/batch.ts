import type pg from 'pg'
import { runningSpan, traced } from '../../tracing/index.js'
import type { ScopedPool } from '../connections/scoped-pool.js'
import type { Statement } from '../connections/statement.js'
import { translated } from '../errors.js'
import { type Scope, type Scoped, toScope } from '../scope.js'
import { statementName } from '../statements/statements.js'
import type { BatchStatement, Database } from '../types.js'
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
      if (connection.knows(statements) && !runningSpan()) return await connection.commitAll(statements, scope)
      return await inFrame(Frame.begin(connection, 'ReadCommitted'), statements, scope)
    } finally {
      connection.release(connection.lost)
    }
  }

  return async <Row>(scoped: Scoped, ...statements: readonly [BatchStatement<Row>, ...BatchStatement[]]) => {
    const scope = toScope(scoped)
    const sent = statements.map(({ sql, parameters }) => ({ name: statementName(sql), text: sql, values: [...parameters] }))
    const frame = runningFrame(contexts) ?? (await contexts.getStore()?.deferred?.begin())
    const [first] = frame
      ? await frame.sendAll(sent, scope)
      : await traced(transactionStep, () => translated(repeat(() => transactionOf(sent, scope))))
    for (const { channel, payload } of statements.flatMap(({ notifies = [] }) => notifies)) notify(channel, payload)
    return first?.rows as Row[]
  }
}

async function inFrame(frame: Frame, statements: readonly Statement[], scope: Scope): Promise<pg.QueryResult[]> {
  try {
    const answers = await frame.sendAll(statements, scope)
    await frame.keep()
    return answers
  } catch (error) {
    await frame.undo()
    throw frame.reasonOf(error)
  }
}
