import { setTimeout as pause } from 'node:timers/promises'
import type { HttpAnswer } from '@caseway/testing'

/** The result of one request of the load. */
export interface Shot {
  /** 0 without a response. */
  status: number
  ms: number
  retryAfter: string | null
  text: string
}

type Fire = (number: number) => Promise<HttpAnswer<unknown>>

/** Sends `perSecond` requests at a constant rate, whether earlier ones were answered or not, until `stop` is called. */
export function fireAt(perSecond: number, fire: Fire) {
  const shots: Promise<Shot>[] = []
  let stopping = false
  const firing = (async () => {
    const startedAt = performance.now()
    while (!stopping) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
      while (shots.length < due) shots.push(shoot(fire, shots.length))
      await pause(5)
    }
  })()
  return {
    count: () => shots.length,
    /** Stops, and resolves with the results of all requests. */
    async stop(): Promise<Shot[]> {
      stopping = true
      await firing
      return Promise.all(shots)
    },
  }
}

async function shoot(fire: Fire, number: number): Promise<Shot> {
  const startedAt = performance.now()
  const shot = (status: number, text: string, retryAfter: string | null) => ({
    status,
    text,
    retryAfter,
    ms: performance.now() - startedAt,
  })
  try {
    const { status, headers, text } = await fire(number)
    return shot(status, text, headers.get('retry-after'))
  } catch (error) {
    return shot(0, String((error as Error).cause ?? error), null)
  }
}

/** The number of requests by status. */
export function tally(shots: readonly Shot[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of shots) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const slowest = (shots: readonly Shot[]): number => Math.round(Math.max(0, ...shots.map(({ ms }) => ms)))

export function p99(shots: readonly Shot[]): number {
  const times = shots.map(({ ms }) => ms).sort((a, b) => a - b)
  return Math.round(times[Math.floor(times.length * 0.99)] ?? 0)
}
