import { runAsLeader } from '@caseway/kit/events'
import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { log, type Notes, notesDatabase } from '../support/notes.js'

const lock = 4711

let notes: Notes
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(() => notes.stop())

const kill = () =>
  notes.rows(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)

/** A task that ends when `over` is aborted, and records the signals of each term. */
function terms() {
  const signals: { over: AbortSignal; lost: AbortSignal }[] = []
  const task = (_connection: pg.Client, over: AbortSignal, lost: AbortSignal) => {
    signals.push({ over, lost })
    return new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()))
  }
  return { signals, task }
}

describe('runAsLeader', () => {
  it('aborts `over` when it is stopped, and waits for the task to end', async () => {
    const ended = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<AbortSignal[]>()
    const leading = runAsLeader({ db: notes.db, lock, name: 'a test', log, pollMs: 5 }, async (_connection, over, lost) => {
      begun.resolve([over, lost])
      await ended.promise
    })
    const [over, lost] = await begun.promise
    const stopped = leading.stop()
    expect([over?.aborted, lost?.aborted]).toEqual([true, false])
    let waiting = true
    void stopped.then(() => {
      waiting = false
    })
    await notes.rows('SELECT 1')
    expect(waiting).toBe(true)
    ended.resolve()
    await stopped
  })

  it('aborts `over` and `lost` when its connection is lost, and begins the task again', async () => {
    const { signals, task } = terms()
    const leading = runAsLeader({ db: notes.db, lock, name: 'a test', log, pollMs: 5 }, task)
    await eventually(() => expect(signals).toHaveLength(1))
    await kill()
    await eventually(() => expect(signals).toHaveLength(2))
    expect([signals[0]?.over.aborted, signals[0]?.lost.aborted]).toEqual([true, true])
    expect([signals[1]?.over.aborted, signals[1]?.lost.aborted]).toEqual([false, false])
    await leading.stop()
  })

  it('does not begin the task when it is stopped while it requests the lock', async () => {
    const { signals, task } = terms()
    const requested = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const connect = async () => {
      const connection = await notes.db.connect()
      const query = connection.query.bind(connection) as (...statement: unknown[]) => Promise<unknown>
      const slow = async (...statement: unknown[]) => {
        requested.resolve()
        await answer.promise
        return query(...statement)
      }
      return Object.assign(connection, { query: slow })
    }
    const leading = runAsLeader({ db: { ...notes.db, connect }, lock, name: 'a test', log, pollMs: 5 }, task)
    await requested.promise
    const stopped = leading.stop()
    answer.resolve()
    await stopped
    expect(signals).toEqual([])
    expect(await notes.rows(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock}`)).toEqual([])
  })
})
