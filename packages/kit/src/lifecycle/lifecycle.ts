import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../observability/index.js'

/** Something that runs: a listener, a relay, a database. */
export interface Part {
  readonly name: string
  start?(): unknown
  stop(): unknown
}

interface Stoppable {
  stop(): unknown
}

/** How long a stop may take by default, in milliseconds: what ends a process by force has to wait longer. */
export const defaultStopTimeoutMs = 45_000

export interface LifecycleOptions {
  log: Logger
  /** How long to serve on after saying "not ready", in milliseconds: a load balancer needs the time to look away. Default 5,000. */
  readinessDelayMs?: number
  /** How long the whole stop may take, in milliseconds. Default 45,000. */
  stopTimeoutMs?: number
}

export interface Lifecycle {
  /** Parts start in the order in which they were added and stop in the reverse of it. */
  add(part: Part): void
  /**
   * Adds a part that exists only while it runs: `stop` gets what `start` made, and by default calls its `stop`.
   * @returns the way to it, which throws while it does not run
   */
  running<T extends { stop(): unknown }>(name: string, start: () => T | Promise<T>): () => T
  running<T>(name: string, start: () => T | Promise<T>, stop: (part: T) => unknown): () => T
  /** Starts every part. When one fails, those before it are stopped and its error is thrown. */
  start(): Promise<void>
  /** True between the last start and the first stop. */
  ready(): boolean
  /**
   * Not ready, the delay, then part by part; one that fails does not keep the others from stopping. Calling it again gives the same promise.
   * @throws when the time is up, with the name of the part that it waits for
   */
  stop(): Promise<void>
}

/** Starts and stops what a service is made of, in order and within bounds. Nothing runs before `start`. */
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
