import { readFileSync } from 'node:fs'
import { freePort } from '@caseway/install/free-port.mjs'
import { registry, urlVariable } from '@caseway/registry'
import type { DistributedPlatform } from '../platform/distributed.js'
import type { Program } from '../platform/program.js'
import type { Comparison } from '../scenario.js'
import { smallOffice, userOf } from '../seeding/offices.js'
import { peerScript } from './peers.js'
import { bearer } from './requests.js'

/** Compares the gateway with a bare proxy, both with an upstream of almost no cost. */
export const gatewayOverhead: Comparison = {
  name: 'gateway-overhead',
  what: 'Gateway with its check of the token, beside bare `@fastify/http-proxy` without one',
  aims: [{ of: 'ours', to: 'peer', atLeast: 1 }],

  async contestants(distributed) {
    const upstream = await distributed.start('upstream', peerScript('upstream'), {})
    const gateway = await startGateway(distributed, upstream.url)
    const proxy = await distributed.start('proxy', peerScript('proxy'), { UPSTREAM: upstream.url })
    const requests = [{ path: '/rest/tag/1', headers: bearer(distributed.tokenFor(userOf(smallOffice))) }]
    const contestant = ({ name, url, pid }: Program) => ({ url, requests, processes: () => ({ [name]: pid, upstream: upstream.pid }) })
    return { ours: contestant(gateway), peer: contestant(proxy) }
  },
}

/** Starts a second gateway, with the configuration of the first except for the upstream. */
async function startGateway(distributed: DistributedPlatform, upstream: string): Promise<Program> {
  const environment = readFileSync(`/proc/${distributed.pidOf('gateway-1')}/environ`, 'utf8')
    .split('\0')
    .filter(Boolean)
  const port = await freePort()
  const env = {
    ...Object.fromEntries(environment.map((line) => line.split(/=(.*)/s, 2) as [string, string])),
    ...{
      GATEWAY_HTTP_PORT: String(port),
      GATEWAY_CLIENT_HTTP_PORT: '0',
      GATEWAY_METRICS_PORT: '0',
      [urlVariable(registry.casesAndCounters.name)]: upstream,
    },
  }
  const script = new URL('../../../../gateway/dist/main.js', import.meta.url)
  return distributed.start('gateway', script, env, `http://127.0.0.1:${port}`)
}
