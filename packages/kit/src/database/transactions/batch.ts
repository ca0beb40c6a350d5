import { runningSpan, traced } from '../../tracing/index.js'
import type { ScopedBatch } from '../connections/batch-message.js'
import type { ScopedClient } from '../connections/scoped-client.js'
import type { ScopedPool } from '../connections/scoped-pool.js'
import type { Statement } from '../connections/statement.js'
import { translated } from '../errors.js'
import { bindScope, type Scoped, toScope } from '../scope.js'
import type { BatchStatement } from '../statements/batch-statement.js'
import { toStatement } from '../statements/statements.js'
import type { Database } from '../types.js'
import { type Contexts, runningFrame } from './context.js'
import { Frame } from './frame.js'
import { type Answers, type CommitBatches, createGroups } from './grouped-batches.js'
import type { Repeat } from './repeat.js'
import { transactionStep } from './transaction.js'

/** Makes `batch` and `groupedBatch` of a database. */
export function createBatches(
  contexts: Contexts,
  pool: ScopedPool,
  notify: Database<unknown>['notify'],
  repeat: Repeat,
): Pick<Database<unknown>, 'batch' | 'groupedBatch'> {
  const commit: CommitBatches = async (batches, first) => {
    const connection = await pool.lend()
    const before = first ? [first] : []
    const known = [...before, ...batches.flatMap(({ scope, statements }) => [bindScope(scope), ...statements])]
    try {
      // In a trace that is recorded each statement has a span, and so a message of its own.
      const isOneMessage = connection.knows(known) && !runningSpan()
      return await (isOneMessage ? connection.commitAll(batches, before) : commitInFrame(connection, batches, first))
    } finally {
      connection.release(connection.lost)
    }
  }
  const commitAlone = async (batch: ScopedBatch): Promise<Answers> => {
    const [answers = []] = await traced(transactionStep, () => translated(repeat(() => commit([batch]))))
    return answers
  }
  const commitGrouped = createGroups(
    (batches, first) => repeat(() => commit(batches, first)),
    commitAlone,
    pool.options.connectionTimeoutMillis,
  )

  const batchBy =
    (commitOne: (batch: ScopedBatch) => Promise<Answers>) =>
    async <Row>(scoped: Scoped, ...statements: readonly [BatchStatement<Row>, ...BatchStatement[]]) => {
      const batch = { scope: toScope(scoped), statements: statements.map(toStatement) }
      const frame = runningFrame(contexts) ?? (await contexts.getStore()?.deferred?.begin())
      const [first] = await (frame ? frame.sendAll(batch.statements, batch.scope) : commitOne(batch))
      for (const { channel, payload } of statements.flatMap(({ notifies = [] }) => notifies)) notify(channel, payload)
      return first?.rows as Row[]
    }
  return { batch: batchBy(commitAlone), groupedBatch: batchBy(commitGrouped) }
}

/** Runs batches as one transaction, with COMMIT in a message of its own. `first` runs before them, without a scope. */
export async function commitInFrame(connection: ScopedClient, batches: readonly ScopedBatch[], first?: Statement): Promise<Answers[]> {
  const frame = Frame.begin(connection, 'ReadCommitted', first)
  try {
    const answers: Answers[] = []
    for (const { scope, statements } of batches) answers.push(await frame.sendAll(statements, scope))
    await frame.keep()
    return answers
  } catch (error) {
    await frame.undo()
    throw frame.reasonOf(error)
  }
}
