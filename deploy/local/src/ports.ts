import type { LocalConfig } from './config.js'
import type { Addresses } from './demo/demo-file.js'
import { codeOf, Problem } from './problem.js'
import { host, type ReservedPort, reserveFreePort, reservePort } from './reserved-port.js'

export interface Ports {
  http: number
  clientHttp: number
  metrics: number
}

/** The public URLs. */
export const publicUrlsOf = ({ http, clientHttp, metrics }: Ports): Addresses => ({
  base_url: `http://${host}:${http}`,
  client_base_url: `http://${host}:${clientHttp}`,
  metrics_url: `http://${host}:${metrics}/metrics`,
})

/** The ports of the platform, reserved until it listens there. */
export interface ReservedPorts extends Ports {
  release(): Promise<void>
}

/** @throws Problem if a configured port is not available, or is configured twice */
export async function reservePorts(config: LocalConfig): Promise<ReservedPorts> {
  const wanted = { HTTP_PORT: config.httpPort, CLIENT_HTTP_PORT: config.clientHttpPort, METRICS_PORT: config.metricsPort }
  const taken = new Map<number, string>()
  for (const [variable, port] of Object.entries(wanted)) {
    const other = port === 0 ? undefined : taken.get(port)
    if (other) throw new Problem(`${other} and ${variable} are both ${port}: give each a port of its own.`)
    taken.set(port, variable)
  }
  const reserved = await Promise.all(Object.entries(wanted).map(([variable, port]) => reserve(variable, port)))
  const [http, clientHttp, metrics] = reserved.map(({ port }) => port)
  return {
    ...({ http, clientHttp, metrics } as Ports),
    release: async () => void (await Promise.all(reserved.map((one) => one.release()))),
  }
}

async function reserve(variable: string, wanted: number): Promise<ReservedPort> {
  if (wanted === 0) return reserveFreePort()
  try {
    return await reservePort(wanted)
  } catch (cause) {
    throw portProblem(variable, wanted, cause as Error)
  }
}

function portProblem(variable: string, port: number, cause: Error): Problem {
  const why = codeOf(cause) === 'EADDRINUSE' ? 'is taken by another program' : 'may not be used by this user'
  return new Problem(`Port ${port} ${why}: choose another one with the variable ${variable}.`, { cause })
}
