import { createServer } from 'node:net'
import { freePort } from '@caseway/install/free-port.mjs'
import type { LocalConfig } from './config.js'
import type { Addresses } from './demo/demo-file.js'
import { codeOf, Problem } from './problem.js'

/** Where the platform listens: on this machine only. */
export const host = '127.0.0.1'

export interface Ports {
  http: number
  clientHttp: number
  metrics: number
}

/** As people and scripts call them. */
export const publicUrlsOf = ({ http, clientHttp, metrics }: Ports): Addresses => ({
  base_url: `http://${host}:${http}`,
  client_base_url: `http://${host}:${clientHttp}`,
  metrics_url: `http://${host}:${metrics}/metrics`,
})

/** The three ports, each of them free at this moment. */
export async function findPorts(config: LocalConfig): Promise<Ports> {
  const wanted = { HTTP_PORT: config.httpPort, CLIENT_HTTP_PORT: config.clientHttpPort, METRICS_PORT: config.metricsPort }
  const taken = new Map<number, string>()
  for (const [variable, port] of Object.entries(wanted)) {
    const other = port === 0 ? undefined : taken.get(port)
    if (other) throw new Problem(`${other} and ${variable} are both ${port}: give each a port of its own.`)
    taken.set(port, variable)
  }
  // All at once and only then let go, or two of them could be the same.
  const probes = await Promise.all(Object.entries(wanted).map(([variable, port]) => probe(variable, port)))
  const [http, clientHttp, metrics] = await Promise.all(probes.map((release) => release()))
  return { http, clientHttp, metrics } as Ports
}

async function probe(variable: string, wanted: number): Promise<() => Promise<number>> {
  const port = wanted === 0 ? await freePort() : wanted
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portProblem(variable, port, cause))).listen(port, host, resolve)
  })
  return () => new Promise((resolve) => server.close(() => resolve(port)))
}

function portProblem(variable: string, port: number, cause: Error): Problem {
  const why = codeOf(cause) === 'EADDRINUSE' ? 'is taken by another program' : 'may not be used by this user'
  return new Problem(`Port ${port} ${why}: choose another one with the variable ${variable}.`, { cause })
}
