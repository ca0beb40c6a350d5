import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AggregatorRegistry } from 'prom-client'
import type { Logger } from './log.js'
import type { Metrics } from './metrics.js'
import { processRegistry } from './process-metrics.js'

export interface MetricsServerOptions {
  host?: string
  /** With 0 the system picks a free one. */
  port: number
  /** The metrics of every service in this process. */
  metrics: readonly Metrics[]
  log: Logger
}

/** Serves `/metrics` in the text format of Prometheus, on a separate port, so that it cannot be reached through a public one. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<{ port: number; stop(): Promise<void> }> {
  const { host = '0.0.0.0', port, metrics, log } = options

  async function answer(response: ServerResponse): Promise<void> {
    const figures = await Promise.all(metrics.map(({ registry }) => registry.getMetricsAsJSON()))
    const merged = AggregatorRegistry.aggregate(figures)
    // Not merged, because the aggregation omits the start time of the process.
    const bodies = await Promise.all([processRegistry().metrics(), merged.metrics()])
    response.writeHead(200, { 'content-type': merged.contentType }).end(bodies.join('\n'))
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
