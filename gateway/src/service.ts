import type { AddressInfo } from 'node:net'
import { grpcSecurity } from '@caseway/kit/config'
import { type EventTransport, startConsumers } from '@caseway/kit/events'
import { lifecycle } from '@caseway/kit/lifecycle'
import { createLog, createMetrics, type Logger, type Metrics } from '@caseway/kit/observability'
import { authSessions, followEndedSessions, sessionConsumer } from '@caseway/kit/sessions'
import { createTokenVerifier, KeySet } from '@caseway/kit/tokens'
import type { FastifyInstance } from 'fastify'
import type { GatewayConfig } from './config.js'
import { wire } from './wiring.js'

const name = 'gateway'

export interface Parts {
  transport: EventTransport
  log?: Logger
  metrics?: Metrics
}

export interface RunningGateway {
  readonly expertUrl: string
  readonly clientUrl: string
  stop(): Promise<void>
}

/** Starts the gateway; both addresses take requests when the promise resolves. */
export async function startGateway(config: GatewayConfig, parts: Parts): Promise<RunningGateway> {
  const { transport, log = createLog({ service: name, level: config.logLevel }), metrics = createMetrics(name) } = parts
  const life = lifecycle({ log, readinessDelayMs: config.readinessDelayMs })
  const keys = KeySet.fromJwks(config.jwksUrl, { log })
  const verifier = createTokenVerifier({ keys, issuer: config.tokenIssuer })
  const source = authSessions({ address: config.authGrpcAddress, security: grpcSecurity(config), log })
  // Until the ended sessions are known, tokens of ended sessions would be accepted.
  const ready = () => life.ready() && sessions().known()
  const { ended, upstreams, listeners } = await wire(config, { log, metrics, verifier, ready, alive: transport.healthy })

  life.add({ name: 'keys of tokens', stop: () => keys.stop() })
  life.add({ name: 'auth', stop: () => source.close() })
  life.add({ name: 'services', stop: () => Promise.all(upstreams.map((upstream) => upstream.close())) })
  const consumers = [sessionConsumer(ended)]
  life.running('broadcasts', () => startConsumers({ transport, group: name, consumers, broadcast: true, log, metrics }))
  const eventsAway = () => !transport.receiving()
  const sessions = life.running('ended sessions', () => followEndedSessions({ ended, source, log, eventsAway }))
  const { expert, client } = listeners
  const shared = { host: config.httpHost, reusePort: config.sharedPorts }
  // Both listeners are closed at the same time.
  const drainMs = config.upstreamTimeoutMs + marginMs
  const stop = () => Promise.all([close(expert, drainMs), close(client, drainMs)])
  life.add({ name: 'address for employees', start: () => expert.listen({ ...shared, port: config.httpPort }), stop })
  life.add({ name: 'address for clients', start: () => client.listen({ ...shared, port: config.clientHttpPort }), stop })
  await life.start()

  return { expertUrl: urlOf(expert), clientUrl: urlOf(client), stop: life.stop }
}

/** Added to the upstream timeout: how long a stopping listener waits for answers that are under way. */
const marginMs = 1_000

async function close(app: FastifyInstance, drainMs: number): Promise<void> {
  const hurry = setTimeout(() => app.server.closeAllConnections(), drainMs)
  await app.close()
  clearTimeout(hurry)
}

const urlOf = ({ server }: FastifyInstance) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
