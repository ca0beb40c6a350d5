import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** One stream that is to be opened, and what it listens to. */
export interface StreamOrder {
  customerId: number
  token: string
}

/** A change that was made: its number is in the subject of a case, as `change 1;`. */
export interface Change {
  number: number
  customerId: number
  /** Milliseconds since 1970. */
  at: number
}

export interface StreamReport {
  /** Of the stream that waited longest: the time that 99 of 100 changes took. */
  worstP99Ms: number
  /** Changes that a stream should have shown and did not, over all streams. */
  missing: number
  shown: number
}

const listener = fileURLToPath(new URL('stream-listener.js', import.meta.url))

/** Holds live streams open, in a process of its own. */
export async function openStreams(url: string, streams: readonly StreamOrder[]) {
  // A change that a stream never showed took endless time, which JSON cannot say.
  const child = fork(listener, { serialization: 'advanced' })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process of the streams ended.')))
  ended.catch(() => undefined)
  const ask = async <Answer>(order: object): Promise<Answer> => {
    child.send(order)
    const [answer] = await Promise.race([once(child, 'message'), ended])
    return answer as Answer
  }
  await Promise.race([once(child, 'message'), ended])
  await ask({ url, streams })
  return {
    /** What came of these changes. */
    report: (changes: readonly Change[]) => ask<StreamReport>({ changes }),
    close: () => child.kill(),
  }
}
