import { pace } from '../measuring/pace.js'
import { median, quantile } from '../measuring/statistics.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import type { Figure, Settings, Standalone } from '../scenario.js'
import { bearer } from './requests.js'

const savesAMinute = 10_000
const readsPerSecond = 100
/** No widget takes more than 300 answers a minute, and no address sends more than 30. */
const widgetCount = 50
const warmUpSeconds = 10

/** A platform of its own: visitors answer through the gateway while employees read. */
export const saves: Standalone = {
  name: 'saves',
  what: `${savesAMinute} answers of visitors a minute, each from another address, beside ${readsPerSecond} reads of a poll a second`,

  async measureAlone({ rounds, seconds }: Settings) {
    const distributed = await startDistributed()
    try {
      const { read, save } = await prepare(distributed)
      await Promise.all([
        pace(readsPerSecond, warmUpSeconds, async () => void (await read())),
        pace(savesAMinute / 60, warmUpSeconds, save),
      ])
      const alone: number[] = []
      const beside: number[] = []
      for (let round = 0; round < rounds; round++) {
        alone.push(await p99(read, seconds))
        const [during] = await Promise.all([p99(read, seconds), pace(savesAMinute / 60, seconds, save)])
        beside.push(during)
      }
      return figuresOf(median(alone), median(beside))
    } finally {
      await distributed.stop()
    }
  },
}

const figuresOf = (alone: number, beside: number): Figure[] => [
  { what: 'p99 of reads, without answers', value: alone, unit: 'ms' },
  { what: 'p99 of reads, beside the answers', value: beside, unit: 'ms' },
  { what: 'p99 beside the answers to p99 without', value: beside / alone, unit: '×', atMost: 1.2 },
]

async function prepare({ url, demo, tokenFor }: DistributedPlatform) {
  const { customer_id, accounts } = demo.offices[0]
  const customerId = Number(customer_id)
  const headers = { 'content-type': 'application/json', ...bearer(tokenFor({ userId: Number(accounts.expert.user_id), customerId })) }
  const create = async (path: string, record: object) => {
    const answer = await fetch(`${url}/rest/${path}`, { method: 'POST', headers, body: JSON.stringify(record) })
    return (await expected(answer, 201).json()) as { id: number; external_hash: string }
  }
  const title = 'How did you find us?'
  const { id } = await create('poll', { Poll: { name: 'Bench', blocks: [{ type: 'shortQuestion', data: { title } }] } })
  const widgets = await Promise.all(
    Array.from({ length: widgetCount }, () => create('chat_widget', { ChatWidget: { url: 'https://bench.example' } })),
  )
  const bodies = widgets.map(({ external_hash }) =>
    JSON.stringify([
      { type: 'header', data: { poll_id: `${customerId}-${external_hash}` } },
      { type: 'shortQuestion', data: { title, value: 'In the newspaper' } },
    ]),
  )
  let saved = 0

  return {
    async read(): Promise<number> {
      const start = performance.now()
      await expected(await fetch(`${url}/rest/poll/${id}`, { headers }), 200).text()
      return performance.now() - start
    },
    async save(): Promise<void> {
      const number = saved++
      const from = { 'content-type': 'application/json', 'x-forwarded-for': `10.${number >> 16}.${(number >> 8) % 256}.${number % 256}` }
      const request = { method: 'POST', headers: from, body: bodies[number % bodies.length] }
      await expected(await fetch(`${demo.client_base_url}/poll_answers/save`, request), 201).text()
    },
  }
}

async function p99(read: () => Promise<number>, seconds: number): Promise<number> {
  const times: number[] = []
  await pace(readsPerSecond, seconds, async () => void times.push(await read()))
  return quantile(times, 0.99)
}

function expected(answer: Response, status: number): Response {
  if (answer.status !== status) throw new Error(`${answer.url} was answered with ${answer.status}.`)
  return answer
}
