import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Contestant, Request } from '../contestant.js'
import { cpuSecondsOf } from './cpu.js'

export interface LoadOrder {
  url: string
  requests: readonly Request[]
  freshIds: boolean
  connections: number
  seconds: number
}

export interface LoadAnswer {
  /** Number of answers with a 2xx status. */
  good: number
  /** Number of other answers, and of requests without one. */
  bad: number
  seconds: number
  p99Ms: number
  /** Size of all answers, including heads. */
  bytes: number
}

/** The result of one round of a contestant. */
export interface Round {
  perSecond: number
  p99Ms: number
  /** Size of one answer, including its head. */
  bytes: number
  bad: number
  /** CPU seconds per 10,000 requests, by process. */
  cpu: Record<string, number>
}

const connections = 32

const generator = fileURLToPath(new URL('load-generator.js', import.meta.url))

/** Sends requests as fast as they are answered, from a process of its own. */
export async function round({ url, requests, freshIds = false, processes }: Contestant, seconds: number): Promise<Round> {
  const child = fork(generator)
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended.')))
  ended.catch(() => undefined)
  const message = () => Promise.race([once(child, 'message'), ended])
  try {
    await message()
    const watched = { ...processes(), load: child.pid as number }
    const before = cpuSecondsOf(watched)
    child.send({ url, requests, freshIds, connections, seconds } satisfies LoadOrder)
    const [answer] = (await message()) as [LoadAnswer]
    const after = cpuSecondsOf(watched)
    const per10k = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) / answer.good) * 10_000
    return {
      perSecond: answer.good / answer.seconds,
      p99Ms: answer.p99Ms,
      bytes: answer.bytes / (answer.good + answer.bad),
      bad: answer.bad,
      cpu: Object.fromEntries(Object.keys(watched).map((name) => [name, per10k(name)])),
    }
  } finally {
    child.kill()
  }
}
