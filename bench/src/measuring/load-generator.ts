import { once } from 'node:events'
import autocannon from 'autocannon'
import type { LoadAnswer, LoadOrder, Request } from './load.js'

const rotated = (requests: readonly Request[], by: number) =>
  [...requests.slice(by), ...requests.slice(0, by)].map((request) => ({ ...request }))

process.once('disconnect', () => process.exit())
process.send?.('ready')
const [order] = (await once(process, 'message')) as [LoadOrder]
process.send?.(await load(order))

async function load({ url, requests, freshIds, connections, seconds }: LoadOrder): Promise<LoadAnswer> {
  let connection = 0
  const result = await autocannon({
    ...{ url, connections, duration: seconds, idReplacement: freshIds },
    // In step, all connections would ask for the same at the same time.
    setupClient: (client) => client.setRequests(rotated(requests, Math.floor((connection++ / connections) * requests.length))),
  })
  const good = result['2xx']
  return {
    good,
    bad: result.non2xx + result.errors,
    seconds: (result.finish.getTime() - result.start.getTime()) / 1000,
    p99Ms: result.latency.p99,
    bytes: result.throughput.total,
  }
}
