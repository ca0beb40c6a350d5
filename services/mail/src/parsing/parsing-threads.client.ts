import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Beside this file, with its extension: tests run what is written, production what was built of it. */
const program = new URL(`./parsing-worker.client${extname(import.meta.url)}`, import.meta.url)

/** Of the objects of one thread, in MiB: a message that needs more ends the thread, not the process. */
const heapMiB = 512
/** Of the objects that it has just made: those of one message are garbage before the next comes. */
const youngMiB = 8

interface Task {
  readonly work: object
  readonly handedOver: readonly ArrayBuffer[]
  readonly timeoutMs: number
  readonly done: PromiseWithResolvers<unknown>
}

/** Threads that do one task each at a time. A thread that is silent for too long, or dies, is replaced; its task fails. */
export function parsingThreads(count: number) {
  const waiting: Task[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let isClosed = false
  let nextId = 0

  const end = (worker: Worker) => {
    all.delete(worker)
    const at = idle.indexOf(worker)
    if (at >= 0) idle.splice(at, 1)
    return worker.terminate()
  }
  const started = () => {
    const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngMiB } })
    // Without a task nobody waits for it.
    worker.unref()
    worker.on('error', () => undefined)
    all.add(worker)
    return worker
  }

  const next = () => {
    const worker = waiting.length === 0 ? undefined : (idle.pop() ?? (all.size < count ? started() : undefined))
    const task = worker && waiting.shift()
    if (!worker || !task) return
    const id = nextId++
    const settle = (isReusable: boolean, how: () => void) => {
      clearTimeout(timer)
      worker.removeAllListeners('message')
      worker.removeListener('exit', onExit)
      worker.unref()
      if (isReusable && !isClosed) idle.push(worker)
      else void end(worker)
      how()
      next()
    }
    const fail = (message: string) => settle(false, () => task.done.reject(new Error(message)))
    const timer = setTimeout(() => fail('The message took too long.'), task.timeoutMs)
    const onExit = () => fail('The thread has ended.')
    worker.ref()
    worker.on('exit', onExit)
    worker.on('message', (said: { id: number; answer?: unknown; error?: string }) => {
      if (said.id !== id) return
      settle(true, () => (said.error === undefined ? task.done.resolve(said.answer) : task.done.reject(new Error(said.error))))
    })
    worker.postMessage({ id, ...task.work }, task.handedOver)
  }

  return {
    /** @param handedOver memory of `work` that is the thread's from now on; the rest is copied */
    run(work: object, timeoutMs: number, handedOver: readonly ArrayBuffer[] = []): Promise<unknown> {
      const done = Promise.withResolvers<unknown>()
      waiting.push({ work, handedOver, timeoutMs, done })
      next()
      return done.promise
    },
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...all].map(end))
    },
  }
}
