import { extname } from 'node:path'
import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { Piscina } from 'piscina'

/** Beside this file, with its extension: tests run what is written, production what was built of it. */
const program = new URL(`./parsing-worker.client${extname(import.meta.url)}`, import.meta.url)

/** Of the objects of one thread, in MiB: a message that needs more ends the thread, not the process. */
const heapMiB = 512
/** Of the objects that it has just made: those of one message are garbage before the next comes. */
const youngMiB = 8

/**
 * Threads that do one task each at a time (github.com/piscinajs/piscina). A thread that takes too long, or dies, is replaced; its task fails.
 * @param count how many these are at most: one is started when a task needs it
 */
export function parsingThreads(count: number) {
  const pool = new Piscina({
    ...{ filename: program.href, minThreads: 0, maxThreads: count, idleTimeout: Number.POSITIVE_INFINITY },
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngMiB },
  })
  // A thread that dies without a task.
  pool.on('error', () => undefined)
  // The time of a task begins when a thread is free for it.
  const freeThread = pLimit(count)
  const runWithin = (work: object, timeoutMs: number, handedOver: readonly ArrayBuffer[]): Promise<unknown> => {
    const late = new AbortController()
    const done = pool.run(work, { signal: late.signal, transferList: [...handedOver] })
    const fallback = () => {
      late.abort()
      throw new Error('The message took too long.')
    }
    return pTimeout(done, { milliseconds: timeoutMs, fallback })
  }

  return {
    /** @param handedOver memory of `work` that is the thread's from now on; the rest is copied */
    run: (work: object, timeoutMs: number, handedOver: readonly ArrayBuffer[] = []): Promise<unknown> =>
      freeThread(() => runWithin(work, timeoutMs, handedOver)),
    close: (): Promise<void> => pool.destroy(),
  }
}
