import pRetry from 'p-retry'
import type { Metrics } from '../observability/index.js'
import { type Step, traced } from '../tracing/index.js'
import { type Context, type Contexts, runningTransaction, type Transaction } from './context.js'
import { repeatable, translated } from './errors.js'
import { type Scope, toScope } from './scope.js'
import type { ScopedPool } from './scoped-pool.js'
import type { Database, TransactionOf } from './types.js'

const retries = { retries: 2, minTimeout: 20, maxTimeout: 100, randomize: true }

/** Around the statements of a transaction, its retries among them: what is emitted in it belongs to this step. */
const transactionStep: Step = { name: 'transaction', kind: 'internal', attributes: { 'db.system.name': 'postgresql' } }

/** The `write` of a database. */
export function createWriter<Client extends object>(
  contexts: Contexts,
  pool: ScopedPool,
  tx: TransactionOf<Client>,
  { databaseRetries }: Metrics,
): Database<Client>['write'] {
  return (scoped, work, { isolation } = {}) => {
    const scope = toScope(scoped)
    const running = runningTransaction(contexts)
    if (running) return joinTransaction(contexts, running, scope, () => work(tx))

    let committing = false
    const unitOfWork = async () => {
      committing = false
      const connection = await pool.lend()
      const transaction: Transaction = { connection, savepoints: 0, over: false }
      connection.begin(isolation)
      try {
        // An async function of its own: a promise of Prisma begins where it is awaited.
        const result = await contexts.run({ scope, transaction }, async () => work(tx)).finally(() => end(transaction))
        committing = true
        await connection.commit()
        connection.release()
        return result
      } catch (error) {
        await connection.rollback().then(
          () => connection.release(),
          (broken: Error) => connection.release(broken),
        )
        throw error
      }
    }
    const shouldRetry = ({ error }: { error: Error }) => {
      const again = repeatable(error, committing)
      if (again) databaseRetries.inc()
      return again
    }
    return traced(transactionStep, () => translated(pRetry(unitOfWork, { ...retries, shouldRetry })))
  }
}

const end = (transaction: Transaction) => {
  transaction.over = true
}

/**
 * Work inside of a running transaction: a savepoint, so that its failure undoes it and nothing else. Nobody waits for the savepoint itself:
 * what comes after it on the connection would fail with it, and so would the commit.
 */
function joinTransaction<T>(contexts: Contexts, transaction: Transaction, scope: Scope, work: () => Promise<T>): Promise<T> {
  const { connection } = transaction
  const send = (text: string) => void connection.query({ text }).catch(() => undefined)
  const turn = async () => {
    const name = `joined_${++transaction.savepoints}`
    send(`SAVEPOINT ${name}`)
    try {
      const result = await contexts.run({ scope, transaction }, async () => work())
      send(`RELEASE SAVEPOINT ${name}`)
      return result
    } catch (error) {
      send(`ROLLBACK TO SAVEPOINT ${name}`)
      throw error
    }
  }
  const here = contexts.getStore() as Context
  const result = (here.lastJoined ?? Promise.resolve()).then(turn)
  here.lastJoined = result.catch(() => undefined)
  return result
}
