import pRetry from 'p-retry'
import type { Metrics } from '../observability/index.js'
import { type Step, traced } from '../tracing/index.js'
import { type Context, type Contexts, type RunningTransaction, runningTransaction, type Transaction } from './context.js'
import { repeatable, translated } from './errors.js'
import { type Scope, toScope } from './scope.js'
import type { Database, PrismaClientLike, TransactionOf } from './types.js'

const retries = { retries: 2, minTimeout: 20, maxTimeout: 100, randomize: true }

/** Longer than any chain of statements that their own limits allow; Prisma's default of five seconds is not. */
const maxDurationMs = 15_000

/** Around the statements of a transaction, its retries among them: what is emitted in it belongs to this step. */
const transactionStep: Step = { name: 'transaction', kind: 'internal', attributes: { 'db.system.name': 'postgresql' } }

/** The `write` of a database. */
export function createWriter<Client extends PrismaClientLike>(
  contexts: Contexts,
  client: Client,
  { databaseRetries }: Metrics,
): Database<Client>['write'] {
  return (scoped, work, { isolation } = {}) => {
    const scope = toScope(scoped)
    const running = runningTransaction(contexts)
    if (running) return joinTransaction(contexts, running, scope, work)

    let committing = false
    const unitOfWork = () => {
      const transaction: Transaction = { savepoints: 0, over: false }
      const guarded = async (tx: TransactionOf<Client>) => {
        transaction.tx = tx
        try {
          const result = await work(tx)
          committing = true
          return result
        } finally {
          transaction.over = true
        }
      }
      committing = false
      return contexts.run({ scope, transaction }, () =>
        client.$transaction(guarded, { maxWait: maxDurationMs, timeout: maxDurationMs, isolationLevel: isolation }),
      )
    }
    const shouldRetry = ({ error }: { error: Error }) => {
      const again = repeatable(error, committing)
      if (again) databaseRetries.inc()
      return again
    }
    return traced(transactionStep, () => translated(pRetry(unitOfWork, { ...retries, shouldRetry })))
  }
}

/** Work inside of a running transaction: a savepoint, so that its failure undoes it and nothing else. */
function joinTransaction<Tx, T>(
  contexts: Contexts,
  transaction: RunningTransaction,
  scope: Scope,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { connection } = transaction
  const turn = async () => {
    const name = `joined_${++transaction.savepoints}`
    await connection.query({ text: `SAVEPOINT ${name}` })
    try {
      // An async function of its own: a promise of Prisma begins where it is awaited.
      const result = await contexts.run({ scope, transaction }, async () => work(transaction.tx as Tx))
      await connection.query({ text: `RELEASE SAVEPOINT ${name}` })
      return result
    } catch (error) {
      // Fails only when the connection is gone, which the next statement says as well.
      await connection.query({ text: `ROLLBACK TO SAVEPOINT ${name}` }).catch(() => undefined)
      throw error
    }
  }
  const here = contexts.getStore() as Context
  const result = (here.lastJoined ?? Promise.resolve()).then(turn)
  here.lastJoined = result.catch(() => undefined)
  return result
}
