import { extname } from 'node:path'
import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { Piscina } from 'piscina'

/** The program of a thread, beside this file and with its extension: `.ts` in tests, `.js` in production. */
const program = new URL(`./parsing-worker.client${extname(import.meta.url)}`, import.meta.url)

/** The heap of one thread, in MiB: a message that needs more ends the thread, not the process. */
const heapMiB = 512
/** The young generation of that heap, in MiB: the objects of one message are garbage before the next one comes. */
const youngMiB = 8

/**
 * Worker threads with one task at a time (github.com/piscinajs/piscina). A thread that takes too long, or dies, is replaced; its task rejects.
 * @param count the most threads: one is started when a task needs it
 */
export function parsingThreads(count: number) {
  const pool = new Piscina({
    ...{ filename: program.href, minThreads: 0, maxThreads: count, idleTimeout: Number.POSITIVE_INFINITY },
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngMiB },
  })
  // Emitted for a thread that dies without a task.
  pool.on('error', () => undefined)
  // The timeout of a task starts when a thread is free for it.
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
    /** @param handedOver memory of `work` that is transferred to the thread; everything else is copied */
    run: (work: object, timeoutMs: number, handedOver: readonly ArrayBuffer[] = []): Promise<unknown> =>
      freeThread(() => runWithin(work, timeoutMs, handedOver)),
    close: (): Promise<void> => pool.destroy(),
  }
}
