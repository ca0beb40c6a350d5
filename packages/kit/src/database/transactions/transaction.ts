import { type Step, traced } from '../../tracing/index.js'
import type { ScopedPool } from '../connections/scoped-pool.js'
import { translated } from '../errors.js'
import type { Isolation } from '../isolation.js'
import { type Scope, toScope } from '../scope.js'
import type { Database, TransactionOf } from '../types.js'
import { type Contexts, runningFrame } from './context.js'
import { Frame } from './frame.js'
import type { Repeat } from './repeat.js'

/** The span of a transaction, with all its tries. It is the parent of its statements, and of the events and jobs that the transaction writes. */
export const transactionStep: Step = { name: 'transaction', kind: 'internal', attributes: { 'db.system.name': 'postgresql' } }

/** Makes `write` of a database. */
export function createWriter<Client extends object>(
  contexts: Contexts,
  pool: ScopedPool,
  tx: TransactionOf<Client>,
  repeat: Repeat,
): Database<Client>['write'] {
  /** Runs work in a frame, which is kept when the work resolves and else rolled back. */
  const runIn = async <T>(frame: Frame, scope: Scope, work: (tx: TransactionOf<Client>) => Promise<T>): Promise<T> => {
    try {
      // The async function awaits a promise of Prisma, which is lazy, inside of the context.
      const result = await contexts.run({ scope, frame }, async () => work(tx))
      await frame.keep()
      return result
    } catch (error) {
      await frame.undo()
      throw frame.reasonOf(error)
    }
  }

  return async (scoped, work, { isolation } = {}) => {
    const scope = toScope(scoped)
    const outer = runningFrame(contexts) ?? (await contexts.getStore()?.deferred?.begin())
    if (outer) {
      mustRunAt(outer.transaction.isolation, isolation)
      return runIn(await outer.nest(), scope, work)
    }
    const unitOfWork = async () => {
      const connection = await pool.lend()
      try {
        return await runIn(Frame.begin(connection, isolation ?? 'ReadCommitted'), scope, work)
      } finally {
        connection.release(connection.lost)
      }
    }
    return traced(transactionStep, () => translated(repeat(unitOfWork)))
  }
}

function mustRunAt(running: Isolation, requested: Isolation | undefined): void {
  if (!requested || requested === running) return
  throw new Error(`A write that asks for ${requested} was nested in a transaction that runs at ${running}.`)
}
