import type { Statement } from '../connections/statement.js'
import type { Scope } from '../scope.js'
import type { Frame } from './frame.js'

const done = { rows: [], fields: [], rowCount: 0 }

/**
 * What Prisma's adapter gets instead of a connection where Prisma begins a transaction by itself: a frame of the running one. Its
 * statements belong to that frame wherever Prisma sends them from.
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
    // Prisma gives a transaction back without a ROLLBACK when its beginning took too long.
    release: () => void frame.undo(),
    on: () => undefined,
    removeListener: () => undefined,
  }
}
