import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type { Logger } from './log.js'
import type { Metrics } from './metrics.js'

export interface MetricsServerOptions {
  host?: string
  /** 0 takes a free one. */
  port: number
  /** Of every service that runs in this process. */
  metrics: readonly Metrics[]
  log: Logger
}

/** Each look at the event loop wakes the process; at the default of 10 ms this alone would be a third of a percent of a core. */
const eventLoopMonitoringPrecision = 100

let ofProcess: Registry | undefined

/** Memory, event loop and the like: of the process, so once, however many services share it. */
function processRegistry(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision })
  }
  return ofProcess
}

/** Serves `/metrics` in the text format of Prometheus, on a port of its own, so that nothing public ever routes to it. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<{ port: number; stop(): Promise<void> }> {
  const { host = '0.0.0.0', port, metrics, log } = options
  const registries = [processRegistry(), ...metrics.map(({ registry }) => registry)]

  async function answer(response: ServerResponse): Promise<void> {
    const figures = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))
    const merged = AggregatorRegistry.aggregate(figures)
    const body = await merged.metrics()
    response.writeHead(200, { 'content-type': merged.contentType }).end(body)
  }

  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    answer(response).catch((error: unknown) => {
      log.error({ err: error }, 'the metrics could not be read')
      response.writeHead(500).end()
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise<unknown>((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
