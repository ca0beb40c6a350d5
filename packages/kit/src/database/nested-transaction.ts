import type { Transaction } from './context.js'
import type { Statement } from './scoped-client.js'

/** A connection on which a transaction is a part of the running one: it begins and ends as a savepoint. */
export function nestedTransaction(transaction: Transaction) {
  const name = `nested_${++transaction.savepoints}`
  const control: Record<string, string> = {
    BEGIN: `SAVEPOINT ${name}`,
    COMMIT: `RELEASE SAVEPOINT ${name}`,
    ROLLBACK: `ROLLBACK TO SAVEPOINT ${name}`,
  }
  return {
    query: (statement: Statement) => transaction.connection.query({ ...statement, text: control[statement.text] ?? statement.text }),
    release: () => undefined,
    on: () => undefined,
    removeListener: () => undefined,
  }
}
