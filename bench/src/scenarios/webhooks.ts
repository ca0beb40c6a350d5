import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pace } from '../measuring/pace.js'
import { quantile } from '../measuring/statistics.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import type { Figure, Settings, Standalone } from '../scenario.js'
import { asExpert } from './requests.js'

/** The maximum per office. */
const webhookCount = 20
const changes = 500
const callers = 16
const changesPerSecond = 10
const timeoutMs = 120_000

/** Runs on a platform of its own: changes of cases are sent to receivers on this machine. */
export const webhooks: Standalone = {
  name: 'webhooks',
  what: `${changes} changes of cases to ${webhookCount} webhooks at once; then ${changesPerSecond} changes a second to one webhook, alone and beside one that hangs`,

  async measureAlone(settings) {
    const receiver = await startReceiver()
    const distributed = await startDistributed({ OUTBOUND_PRIVATE_HOSTS: receiver.host })
    try {
      const [many, one] = distributed.demo.offices
      return [await rate(officeOf(distributed, many), receiver), ...(await delays(officeOf(distributed, one), receiver, settings))]
    } finally {
      await distributed.stop()
      receiver.stop()
    }
  },
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>
type Office = ReturnType<typeof officeOf>

/** Answers requests to `url`, and never those to `hanging`. */
async function startReceiver() {
  const arrivals: { id: string; at: number }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url === '/hanging') return
    arrivals.push({ id: JSON.parse(Buffer.concat(chunks).toString()).data.Issue.id, at: performance.now() })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...{ host, url: `http://${host}/hook`, hanging: `http://${host}/hanging` },
    /** Resolves with the received requests once there are `count`. */
    async until(count: number) {
      const deadline = performance.now() + timeoutMs
      while (arrivals.length < count) {
        if (performance.now() > deadline) throw new Error(`${arrivals.length} of ${count} have arrived within ${timeoutMs / 1000} s.`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return arrivals.splice(0)
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function officeOf(distributed: DistributedPlatform, office: DistributedPlatform['demo']['offices'][number]) {
  const send = asExpert(distributed, office)
  return {
    webhook: (url: string) => send('POST', 'webhook', { Webhook: { url, events: ['issue.updated'] } }),
    newCase: async () => (await send('POST', 'issue', { Issue: { subject: 'A case' } })).id,
    change: (id: number) => send('PUT', `issue/${id}`, { Issue: { subject: `Changed at ${performance.now()}` } }),
  }
}

async function rate(office: Office, receiver: Receiver): Promise<Figure> {
  for (let i = 0; i < webhookCount; i++) await office.webhook(receiver.url)
  const round = async (count: number) => {
    const cases: number[] = []
    while (cases.length < count) cases.push(await office.newCase())
    const left = [...cases]
    const startedAt = performance.now()
    const changeAll = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await office.change(id)
    }
    await Promise.all(Array.from({ length: callers }, changeAll))
    const arrived = await receiver.until(count * webhookCount)
    return arrived.length / (((arrived.at(-1)?.at ?? Number.NaN) - startedAt) / 1000)
  }
  await round(changes / 5)
  return { what: 'deliveries a second, from the first change to the last arrival', value: await round(changes), unit: '/s', atLeast: 1_000 }
}

async function delays(office: Office, receiver: Receiver, { rounds, seconds }: Settings): Promise<Figure[]> {
  await office.webhook(receiver.url)
  const measured = async () => {
    const sentAt = new Map<string, number>()
    const cases: number[] = []
    while (cases.length < changesPerSecond * seconds * rounds) cases.push(await office.newCase())
    await pace(changesPerSecond, seconds * rounds, async (number) => {
      const id = cases[number] as number
      sentAt.set(String(id), performance.now())
      await office.change(id)
    })
    return (await receiver.until(sentAt.size)).map(({ id, at }) => at - (sentAt.get(id) ?? Number.NaN))
  }
  const alone = await measured()
  await office.webhook(receiver.hanging)
  const beside = await measured()
  return [
    { what: 'p99 from the request to the arrival', value: quantile(alone, 0.99), unit: 'ms', atMost: 1_000 },
    { what: 'the same, beside a webhook of the office that hangs', value: quantile(beside, 0.99), unit: 'ms' },
    {
      what: 'median beside the one that hangs to the median without',
      value: quantile(beside, 0.5) / quantile(alone, 0.5),
      unit: '×',
      atMost: 1.2,
    },
  ]
}
