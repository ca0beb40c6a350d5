import type { Statement } from '../connections/statement.js'
import type { Scope } from '../scope.js'
import type { Frame } from './frame.js'

const done = { rows: [], fields: [], rowCount: 0 }

/**
 * The connection that Prisma's adapter gets when Prisma begins a transaction by itself: it sends all statements in `frame`, a nested frame of the running
 * transaction.
 */
export function nestedTransaction(frame: Frame, scope: Scope) {
  const commit = async () => {
    try {
      await frame.keep()
    } catch (error) {
      await frame.undo()
      throw frame.reasonOf(error)
    }
  }
  const controls: Record<string, () => Promise<void>> = {
    BEGIN: async () => undefined,
    COMMIT: commit,
    ROLLBACK: () => frame.undo(),
  }
  return {
    query: async (statement: Statement) => {
      const control = controls[statement.text]
      if (!control) return frame.send(statement, scope)
      await control()
      return done
    },
    // When its transaction took too long to begin, Prisma releases the connection without a ROLLBACK.
    release: () => void frame.undo(),
    on: () => undefined,
    removeListener: () => undefined,
  }
}
