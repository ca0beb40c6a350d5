import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpClient } from '@caseway/testing'
import { expect } from '@jest/globals'

type Send = (api: HttpClient) => Promise<{ status: number; text: string }>

const read =
  (path: string): Send =>
  (api) =>
    api.get(path)

const write: Send = (api) => api.post('/issue', { Issue: { subject: 'A case under load' } }, { 'idempotency-key': randomUUID() })

/** A route of each service; a tenth of them write. */
const requests: readonly (readonly [name: string, send: Send, expected: number])[] = [
  ['POST /issue', write, 201],
  ...[
    '/counter',
    '/issue?limit=25',
    '/tag',
    '/user?limit=25',
    '/common_file?limit=5',
    '/company_card',
    '/poll',
    '/webhook',
    '/mail_folder',
  ].map((path) => [`GET ${path}`, read(path), 200] as const),
]

const tickMs = 5
const answerMs = 60_000
export interface Load {
  readonly perSecond: number
  /** Time in which the rate increases: processes that have just started are slow, and connections are not open yet. */
  readonly rampMs: number
  /** Minimum number of requests; default: none. */
  readonly least?: number
}

interface Failure {
  /** Seconds since the beginning. */
  at: number
  request: string
  outcome: string
}

/** A line for each kind of failure, with its number and its first and last second. */
function kindsOf(failed: readonly Failure[]): string[] {
  const kinds = Map.groupBy(failed, ({ request, outcome }) => `${request}: ${outcome}`)
  return [...kinds].map(([kind, all]) => `${all.length} × ${kind} (${all[0]?.at.toFixed(1)} to ${all.at(-1)?.at.toFixed(1)} s)`)
}

const dueAfter = (ms: number, { perSecond, rampMs }: Load) => (perSecond / 1000) * (ms < rampMs ? ms ** 2 / (2 * rampMs) : ms - rampMs / 2)

/**
 * Sends requests at a constant rate during `work`, whether earlier ones were answered or not, without retries. Any unexpected status, and a broken
 * connection, is a failure.
 * @returns a line for each kind of failure
 */
export async function underLoad(people: readonly HttpClient[], load: Load, work: () => Promise<unknown>): Promise<string[]> {
  const startedAt = performance.now()
  const failed: Failure[] = []
  const open = new Set<Promise<void>>()
  let [sent, slowestMs] = [0, 0]

  async function one(index: number): Promise<void> {
    const [name, send, expected] = requests[index % requests.length] as (typeof requests)[number]
    const api = people[Math.floor(index / requests.length) % people.length] as HttpClient
    const sentAt = performance.now()
    const answer = send(api).then(
      ({ status, text }) => (status === expected ? undefined : `${status} ${text.slice(0, 200)}`),
      (error) => `${error} ${error.cause ?? ''}`,
    )
    const failure = await Promise.race([answer, pause(answerMs, `no answer in ${answerMs} ms`, { ref: false })])
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - sentAt))
    if (failure) failed.push({ at: (sentAt - startedAt) / 1000, request: name, outcome: failure })
  }

  const timer = setInterval(() => {
    for (const due = dueAfter(performance.now() - startedAt, load); sent < due; ) {
      const sending = one(sent++)
      open.add(sending)
      void sending.finally(() => open.delete(sending))
    }
  }, tickMs)
  try {
    await pause(load.rampMs)
    await work()
    while (sent < (load.least ?? 0)) await pause(500)
  } finally {
    clearInterval(timer)
    await Promise.all(open)
    console.log(`${expect.getState().currentTestName}: ${failed.length} of ${sent} failed, the slowest took ${slowestMs} ms`)
  }
  return kindsOf(failed)
}

/** A Node.js script to run beside a service: prints how many requests this copy has answered. */
export const requestCountScript = `fetch('http://127.0.0.1:9464/metrics').then((answer) => answer.text()).then((text) => {
  const counts = [...text.matchAll(/^http_requests_total\\{.*\\} (\\d+)$/gm)].map(([, count]) => Number(count))
  console.log(counts.reduce((sum, count) => sum + count, 0))
})`
