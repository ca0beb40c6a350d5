import type { Part } from '@caseway/kit/lifecycle'
import type { Db } from '../database.js'
import { endedChanges } from './client-data-change.js'
import type { EndedChanges } from './ended-changes.js'

/** Between two looks, in milliseconds: a notification may be lost. */
const pollMs = 500

/** By notifications of the database. */
export function endedChangesOf(db: Pick<Db, 'listen'>): EndedChanges & Part {
  const waiting = new Map<string, () => void>()
  let listening: Awaited<ReturnType<Db['listen']>> | undefined

  return {
    name: 'ended changes of client data',
    start: async () => {
      listening = await db.listen(endedChanges, (id) => waiting.get(id)?.())
    },
    stop: () => listening?.stop(),

    next: (id, deadline) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve()
        }
        const timer = setTimeout(done, Math.max(0, Math.min(pollMs, deadline - Date.now())))
        waiting.set(id, done)
      }),
  }
}
