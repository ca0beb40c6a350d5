import { once } from 'node:events'
import autocannon from 'autocannon'
import type { Request } from '../contestant.js'
import type { LoadAnswer, LoadOrder } from './load.js'

/** The requests of one connection: a part of its own, so that no two request the same at the same time; all of them if there are too few. */
function partOf(requests: readonly Request[], connection: number, connections: number): Request[] {
  const length = Math.floor(requests.length / connections)
  const part = length > 0 ? requests.slice(connection * length, (connection + 1) * length) : requests
  return part.map((request) => ({ ...request }))
}

process.once('disconnect', () => process.exit())
process.send?.('ready')
const [order] = (await once(process, 'message')) as [LoadOrder]
process.send?.(await load(order))

async function load({ url, requests, freshIds, connections, seconds }: LoadOrder): Promise<LoadAnswer> {
  let connection = 0
  const result = await autocannon({
    ...{ url, connections, duration: seconds, idReplacement: freshIds },
    setupClient: (client) => client.setRequests(partOf(requests, connection++, connections)),
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
