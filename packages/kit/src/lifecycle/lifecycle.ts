import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../observability/index.js'

/** Something that is started and stopped, such as a listener, a relay, or a connection pool. */
export interface Part {
  readonly name: string
  start?(): unknown
  stop(): unknown
}

interface Stoppable {
  stop(): unknown
}

/** The default of `stopTimeoutMs`. A supervisor must wait longer than this before it kills the process. */
export const defaultStopTimeoutMs = 45_000

export interface LifecycleOptions {
  log: Logger
  /** How long to keep serving after readiness became false, in milliseconds, until load balancers have noticed. Default 5,000. */
  readinessDelayMs?: number
  /** How long the whole stop may take, in milliseconds. Default 45,000. */
  stopTimeoutMs?: number
}

export interface Lifecycle {
  /** Adds a part. Parts are started in the order in which they were added, and stopped in reverse order. */
  add(part: Part): void
  /**
   * Adds a part that is created by `start`. `stop` is called with it; by default it calls the part's own `stop`.
   * @returns a function that returns the part, and throws Error before it was started
   */
  running<T extends { stop(): unknown }>(name: string, start: () => T | Promise<T>): () => T
  running<T>(name: string, start: () => T | Promise<T>, stop: (part: T) => unknown): () => T
  /** Starts every part. Where one fails, those before it are stopped, and the promise rejects with its error. */
  start(): Promise<void>
  /** True from the end of `start` until `stop` is called. */
  ready(): boolean
  /**
   * Becomes unready, waits for the delay, and stops part by part. An error of a part is logged, and the others are stopped. Further calls return the same
   * promise.
   * @throws Error after `stopTimeoutMs`, with the name of the part that has not stopped
   */
  stop(): Promise<void>
}

/** Starts and stops the parts of a process in order and within a timeout. Nothing is started before `start`. */
export function lifecycle({ log, readinessDelayMs = 5_000, stopTimeoutMs = defaultStopTimeoutMs }: LifecycleOptions): Lifecycle {
  const parts: Part[] = []
  const started: Part[] = []
  let waitsFor = 'the readiness delay'
  let isReady = false
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  async function startParts(): Promise<void> {
    for (const part of parts) {
      if (stopping) return
      waitsFor = part.name
      await part.start?.()
      started.push(part)
      log.debug({ part: part.name }, 'started')
    }
    isReady = stopping === undefined
  }

  async function stopParts(): Promise<void> {
    for (let part = started.pop(); part; part = started.pop()) {
      waitsFor = part.name
      try {
        await part.stop()
        log.debug({ part: part.name }, 'stopped')
      } catch (error) {
        log.error({ err: error, part: part.name }, 'did not stop cleanly')
      }
    }
  }

  async function drain(): Promise<void> {
    if (isReady) {
      isReady = false
      waitsFor = 'the readiness delay'
      await pause(readinessDelayMs)
    }
    await starting?.catch(() => {})
    await stopParts()
  }

  async function stopInTime(): Promise<void> {
    const done = new AbortController()
    const timeUp = pause(stopTimeoutMs, undefined, { signal: done.signal }).then(() => {
      throw new Error(`Gave up stopping after ${stopTimeoutMs} ms, still waiting for ${waitsFor}.`)
    })
    await Promise.race([drain(), timeUp]).finally(() => done.abort())
  }

  function running<T>(name: string, start: () => T | Promise<T>, stop = (part: T) => (part as Stoppable).stop()): () => T {
    let made: { part: T } | undefined
    parts.push({
      name,
      start: async () => {
        made = { part: await start() }
      },
      stop: () => made && stop(made.part),
    })
    return () => {
      if (!made) throw new Error(`${name} does not run.`)
      return made.part
    }
  }

  return {
    add: (part) => void parts.push(part),
    running,
    start() {
      starting = startParts().catch(async (error: unknown) => {
        await stopParts()
        throw error
      })
      return starting
    },
    ready: () => isReady,
    stop() {
      stopping ??= stopInTime()
      return stopping
    },
  }
}
