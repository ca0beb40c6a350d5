import { pace } from '../measuring/pace.js'
import { median, quantile } from '../measuring/statistics.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import type { Figure, Settings, Standalone } from '../scenario.js'
import { bearer } from './requests.js'
import { answersThatMayBeStored, destinationOf, savesAMinute, widgetCount } from './saves-plan.js'

const readsPerSecond = 50
const warmUpSeconds = 10
const minute = 60

/** Runs on a platform of its own: visitors send answers through the gateway while employees read. */
export const saves: Standalone = {
  name: 'saves',
  what: `${savesAMinute.toLocaleString('en')} answers of visitors within a minute, more than the limits let in from some addresses and for one widget, beside ${readsPerSecond} reads a second of a tag, and of a poll`,

  async measureAlone({ seconds }: Settings) {
    const distributed = await startDistributed()
    try {
      const { reads, save, stored, failed } = await prepare(distributed)
      const savesPerSecond = savesAMinute / minute
      await Promise.all([
        pace(savesPerSecond, warmUpSeconds, () => save('warm-up')),
        ...reads.map(({ read }) => pace(readsPerSecond, warmUpSeconds, async () => void (await read()))),
      ])
      const readAll = () => Promise.all(reads.map(({ read }) => p99s(read, seconds)))
      const before = await stored()
      const alone = await readAll()
      const [beside] = await Promise.all([readAll(), pace(savesPerSecond, minute, save)])
      return [
        { what: 'answers that are neither stored nor refused by a limit', value: failed(), unit: '', atMost: 0 },
        { what: 'answers that are stored', value: (await stored()) - before, unit: '', ...exactly(answersThatMayBeStored) },
        ...reads.flatMap(({ what }, i) => figuresOf(what, median(alone[i] ?? []), median(beside[i] ?? []))),
      ]
    } finally {
      await distributed.stop()
    }
  },
}

const exactly = (count: number) => ({ atLeast: count, atMost: count })

const figuresOf = (what: string, alone: number, beside: number): Figure[] => [
  { what: `${what}: p99 without answers`, value: alone, unit: 'ms' },
  { what: `${what}: p99 beside the answers`, value: beside, unit: 'ms' },
  { what: `${what}: p99 beside the answers to p99 without`, value: beside / alone, unit: '×', atMost: 1.2 },
]

async function prepare({ url, demo, tokenFor, databases }: DistributedPlatform) {
  const { customer_id, accounts } = demo.offices[0]
  const customerId = Number(customer_id)
  const headers = { 'content-type': 'application/json', ...bearer(tokenFor({ userId: Number(accounts.expert.user_id), customerId })) }
  const create = async (path: string, record: object) => {
    const answer = await fetch(`${url}/rest/${path}`, { method: 'POST', headers, body: JSON.stringify(record) })
    if (answer.status !== 201) throw unexpected(answer)
    return (await answer.json()) as { id: number; external_hash: string }
  }
  const title = 'How did you find us?'
  const poll = await create('poll', { Poll: { name: 'Bench', blocks: [{ type: 'shortQuestion', data: { title } }] } })
  const tag = await create('tag', { Tag: { name: 'Bench' } })
  const widgets = await Promise.all(
    Array.from({ length: widgetCount }, () => create('chat_widget', { ChatWidget: { url: 'https://bench.example' } })),
  )
  const bodies = widgets.map(({ external_hash }) =>
    JSON.stringify([
      { type: 'header', data: { poll_id: `${customerId}-${external_hash}` } },
      { type: 'shortQuestion', data: { title, value: 'In the newspaper' } },
    ]),
  )
  const reading = (what: string, path: string) => ({
    what,
    async read(): Promise<number> {
      const start = performance.now()
      const answer = await fetch(`${url}/rest/${path}`, { headers })
      if (answer.status !== 200) throw unexpected(answer)
      await answer.text()
      return performance.now() - start
    },
  })
  let warmUps = 0
  let failures = 0

  return {
    reads: [reading('a tag', `tag/${tag.id}`), reading('a poll', `poll/${poll.id}`)],

    async save(number: number | 'warm-up'): Promise<void> {
      const { address, widget } = number === 'warm-up' ? destinationOf(savesAMinute + warmUps++) : destinationOf(number)
      const from = { 'content-type': 'application/json', 'x-forwarded-for': address }
      const answer = await fetch(`${demo.client_base_url}/poll_answers/save`, { method: 'POST', headers: from, body: bodies[widget] })
      await answer.text()
      if (answer.status !== 201 && answer.status !== 429) failures++
    },

    failed: () => failures,

    async stored(): Promise<number> {
      const [answers] = await databases.polls.rows<{ count: number }>('SELECT count(*)::int AS count FROM poll_answers')
      return answers?.count ?? 0
    },
  }
}

/** The 99th percentile of every `seconds` of a minute. */
async function p99s(read: () => Promise<number>, seconds: number): Promise<number[]> {
  const all: number[] = []
  for (let second = 0; second + seconds <= minute; second += seconds) {
    const times: number[] = []
    await pace(readsPerSecond, seconds, async () => void times.push(await read()))
    all.push(quantile(times, 0.99))
  }
  return all
}

const unexpected = ({ url, status }: Response) => new Error(`${url} was answered with ${status}.`)
