import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A stream to be opened, and its caller. */
export interface StreamOrder {
  customerId: number
  token: string
}

/** A change of a case; its number is in the subject, as `change 1;`. */
export interface Change {
  number: number
  customerId: number
  /** Milliseconds since 1970. */
  at: number
}

export interface StreamReport {
  /** The 99th percentile of the delays of the slowest stream. */
  worstP99Ms: number
  /** Changes that a stream should have shown and did not, summed over all streams. */
  missing: number
  shown: number
}

const listener = fileURLToPath(new URL('stream-listener.js', import.meta.url))

/** Opens live streams in a process of its own. */
export async function openStreams(url: string, streams: readonly StreamOrder[]) {
  // The delay of a missing change is Infinity, which JSON cannot express.
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
    /** The delays of these changes. */
    report: (changes: readonly Change[]) => ask<StreamReport>({ changes }),
    close: () => child.kill(),
  }
}
