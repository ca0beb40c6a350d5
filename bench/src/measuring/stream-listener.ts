import { Agent, get } from 'node:http'
import { quantile } from './statistics.js'
import type { Change, StreamOrder, StreamReport } from './streams.js'

interface Stream {
  customerId: number
  /** When each change, by its number, was first received, in milliseconds since 1970. */
  shownAt: Map<number, number>
}

type Order = { url: string; streams: readonly StreamOrder[] } | { changes: readonly Change[] }

const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
const streams: Stream[] = []

process.once('disconnect', () => process.exit())
process.on('message', (order: Order) => void obey(order))
process.send?.('ready')

async function obey(order: Order): Promise<void> {
  if ('changes' in order) {
    process.send?.(reportOf(order.changes))
    return
  }
  for (const stream of order.streams) streams.push(await open(order.url, stream))
  process.send?.('open')
}

function open(url: string, { customerId, token }: StreamOrder): Promise<Stream> {
  const stream: Stream = { customerId, shownAt: new Map() }
  return new Promise((resolve, reject) => {
    get(`${url}/rest/event/stream`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`A stream was answered with ${answer.statusCode}.`))
      let rest = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        const all = rest + text
        const end = all.lastIndexOf('\n') + 1
        rest = all.slice(end)
        note(stream, all.slice(0, end))
      })
      answer.once('close', () => process.exit(1))
      resolve(stream)
    }).once('error', reject)
  })
}

function note({ shownAt }: Stream, text: string): void {
  const now = performance.timeOrigin + performance.now()
  for (const [, number] of text.matchAll(/change (\d+);/g)) {
    if (!shownAt.has(Number(number))) shownAt.set(Number(number), now)
  }
}

function reportOf(changes: readonly Change[]): StreamReport {
  const times = streams.map(({ customerId, shownAt }) =>
    changes.filter((change) => change.customerId === customerId).map(({ number, at }) => (shownAt.get(number) ?? Infinity) - at),
  )
  const shown = times.flat().filter((ms) => ms < Infinity).length
  return {
    worstP99Ms: Math.max(...times.map((ofStream) => quantile(ofStream, 0.99))),
    missing: times.flat().length - shown,
    shown,
  }
}
