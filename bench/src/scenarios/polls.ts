import { peakMib, resetPeak, residentKib } from '../measuring/memory.js'
import { median } from '../measuring/statistics.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import type { Figure, Standalone } from '../scenario.js'
import { answersOfPoll, seedPoll } from '../seeding/polls.js'
import { bearer } from './requests.js'

const service = 'polls-and-widgets-1'

/** Runs on a platform of its own, with one poll. */
export const polls: Standalone = {
  name: 'polls',
  what: 'A poll with a million answers of a year: its results, the median of ten, and all of its answers as CSV',

  async measureAlone() {
    const distributed = await startDistributed()
    try {
      const { customer_id, accounts } = distributed.demo.offices[0]
      const customerId = Number(customer_id)
      const { id } = await seedPoll(distributed.databases.polls, customerId)
      const headers = bearer(distributed.tokenFor({ userId: Number(accounts.expert.user_id), customerId }))
      return [await results(distributed, id, headers), ...(await csv(distributed, headers))]
    } finally {
      await distributed.stop()
    }
  },
}

async function results({ url }: DistributedPlatform, id: string, headers: Record<string, string>): Promise<Figure> {
  const times: number[] = []
  for (let i = 0; i < 10; i++) {
    const start = performance.now()
    const answer = await fetch(`${url}/rest/poll/${id}/results`, { headers })
    const { PollResults } = (await answer.json()) as { PollResults: { answers: string } }
    if (Math.abs(Number(PollResults.answers) - answersOfPoll) > 1_000) throw new Error(`The results say ${PollResults.answers} answers.`)
    times.push(performance.now() - start)
  }
  return { what: 'results of a year', value: median(times), unit: 'ms', atMost: 50 }
}

async function csv({ url, pidOf }: DistributedPlatform, headers: Record<string, string>): Promise<Figure[]> {
  const pids = ['gateway-1', service].map((name) => ({ name, pid: pidOf(name) }))
  for (const { pid } of pids) resetPeak(pid)
  const before = new Map(pids.map(({ pid }) => [pid, residentKib(pid) / 1024]))
  const start = performance.now()
  const answer = await fetch(`${url}/rest/poll_answer`, { headers: { ...headers, accept: 'text/csv' } })
  const lines = await linesOf(answer)
  if (lines !== answersOfPoll + 1) throw new Error(`The export has ${lines} lines.`)
  return [
    { what: 'all answers as CSV', value: (performance.now() - start) / 1000, unit: 's' },
    ...pids.map(({ name, pid }) => ({
      what: `${name}: memory beyond idle`,
      value: peakMib(pid) - (before.get(pid) ?? 0),
      unit: 'MiB',
      atMost: 50,
    })),
  ]
}

async function linesOf({ body }: Response): Promise<number> {
  let lines = 0
  for await (const chunk of body ?? []) for (const byte of chunk as Uint8Array) if (byte === 10) lines++
  return lines
}
