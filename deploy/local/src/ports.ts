import type { LocalConfig } from './config.js'
import type { Addresses } from './demo/demo-file.js'
import { type HeldPort, holdFreePort, holdPort, host } from './held-port.js'
import { codeOf, Problem } from './problem.js'

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
export interface HeldPorts extends Ports {
  release(): Promise<void>
}

/** @throws Problem if a configured port is not available, or is configured twice */
export async function holdPorts(config: LocalConfig): Promise<HeldPorts> {
  const wanted = { HTTP_PORT: config.httpPort, CLIENT_HTTP_PORT: config.clientHttpPort, METRICS_PORT: config.metricsPort }
  const taken = new Map<number, string>()
  for (const [variable, port] of Object.entries(wanted)) {
    const other = port === 0 ? undefined : taken.get(port)
    if (other) throw new Problem(`${other} and ${variable} are both ${port}: give each a port of its own.`)
    taken.set(port, variable)
  }
  const held = await Promise.all(Object.entries(wanted).map(([variable, port]) => hold(variable, port)))
  const [http, clientHttp, metrics] = held.map(({ port }) => port)
  return { ...({ http, clientHttp, metrics } as Ports), release: async () => void (await Promise.all(held.map((one) => one.release()))) }
}

async function hold(variable: string, wanted: number): Promise<HeldPort> {
  if (wanted === 0) return holdFreePort()
  try {
    return await holdPort(wanted)
  } catch (cause) {
    throw portProblem(variable, wanted, cause as Error)
  }
}

function portProblem(variable: string, port: number, cause: Error): Problem {
  const why = codeOf(cause) === 'EADDRINUSE' ? 'is taken by another program' : 'may not be used by this user'
  return new Problem(`Port ${port} ${why}: choose another one with the variable ${variable}.`, { cause })
}
