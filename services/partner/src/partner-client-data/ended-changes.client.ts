import { EventEmitter, once } from 'node:events'
import type { Part } from '@caseway/kit/lifecycle'
import type { Db } from '../database.js'
import { endedChanges } from './client-data-change.js'
import type { EndedChanges } from './ended-changes.js'

/** The interval of polling, in milliseconds, because a notification may be lost. */
const pollMs = 500

const anyChange = Symbol('any change')
const nothing = () => undefined

/** EndedChanges by LISTEN and NOTIFY of PostgreSQL. */
export function endedChangesOf(db: Pick<Db, 'listen'>): EndedChanges & Part {
  const ends = new EventEmitter().setMaxListeners(0)
  let listening: Awaited<ReturnType<Db['listen']>> | undefined

  const endOf = (change: string | symbol, deadline: number): Promise<void> => {
    const signal = AbortSignal.timeout(Math.max(0, Math.min(pollMs, deadline - Date.now())))
    return once(ends, change, { signal }).then(nothing, nothing)
  }

  return {
    name: 'ended changes of client data',
    start: async () => {
      listening = await db.listen(endedChanges, (id) => {
        ends.emit(id)
        ends.emit(anyChange)
      })
    },
    stop: () => listening?.stop(),
    next: endOf,
    any: (deadline) => endOf(anyChange, deadline),
  }
}
