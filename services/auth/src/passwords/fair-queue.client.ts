import { unavailable } from '@caseway/kit/errors'
import PQueue from 'p-queue'
import type { Turn } from './password-hasher.js'

interface Options {
  /** The number of entries that run at the same time. */
  readonly concurrency: number
  /** The maximum number of entries that wait. */
  readonly maxWaiting: number
}

const busy = (cause?: unknown) => unavailable(cause, 2)

/**
 * A bounded queue in which callers take turns, however many entries each of them has. When it is full, the last entry of the caller with the most entries
 * is refused in favour of a caller with at least two fewer.
 */
export function fairQueue({ concurrency, maxWaiting }: Options) {
  const queue = new PQueue({ concurrency })
  const waiting = new Map<string, AbortController[]>()

  const makeRoom = (ahead: number) => {
    const longest = [...waiting.values()].reduce((most, each) => (each.length > most.length ? each : most), [])
    if (longest.length < ahead + 2) throw busy()
    longest.at(-1)?.abort(busy())
  }
  const leave = (of: string, place: AbortController) => {
    const remaining = (waiting.get(of) ?? []).filter((other) => other !== place)
    if (remaining.length > 0) waiting.set(of, remaining)
    else waiting.delete(of)
  }

  /**
   * Runs `work` when the caller's turn comes.
   * @throws AppError `unavailable` when `work` does not run: too many wait, or `signal` has aborted
   */
  return async <T>({ of, signal }: Turn, work: () => Promise<T>): Promise<T> => {
    const abort = () => place.abort(busy(signal?.reason))
    const place = new AbortController()
    if (signal?.aborted) throw busy(signal.reason)
    const ahead = waiting.get(of) ?? []
    if (queue.size >= maxWaiting) makeRoom(ahead.length)
    waiting.set(of, [...ahead, place])
    signal?.addEventListener('abort', abort, { once: true })
    // Work that has begun is not cancelled, because its outcome counts towards the limits.
    const begin = () => {
      leave(of, place)
      signal?.removeEventListener('abort', abort)
      return work()
    }
    place.signal.addEventListener('abort', () => leave(of, place), { once: true })
    return queue.add(begin, { priority: -ahead.length, signal: place.signal })
  }
}
