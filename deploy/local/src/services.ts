import { auth } from '@caseway/auth/wiring'
import { casesAndCounters } from '@caseway/cases-and-counters/wiring'
import { config as gatewayConfig } from '@caseway/gateway/config'
import { startGateway } from '@caseway/gateway/service'
import type { EventTransport } from '@caseway/kit/events'
import type { Logger, Metrics } from '@caseway/kit/observability'
import { callerLimitsOf } from './caller-limits.js'
import { frontends } from './demo/plan.js'
import { host, type Ports } from './ports.js'

/** What a service is started with here; the rest of its configuration is as it is by default. */
export interface Dependencies {
  databaseUrl: string
  secret: string
  addresses: Addresses
  transport: EventTransport
  log: Logger
  metrics: Metrics
}

/** Where the parts of the platform find each other, in the names of their variables. */
export type Addresses = Readonly<Record<string, string>>

const jwksPath = '/.well-known/jwks.json'

/** What every service is told of the outside. */
export const publicAddresses = ({ http, clientHttp }: Ports): Addresses => ({
  EXPERT_URL: `http://${host}:${http}`,
  CLIENT_URL: `http://${host}:${clientHttp}`,
  TOKEN_ISSUER: 'caseway',
})

/** Where auth is, for those that need it. */
export const addressesOfAuth = ({ httpUrl, grpcAddress }: Awaited<ReturnType<typeof auth.start>>): Addresses => ({
  AUTH_URL: httpUrl,
  AUTH_GRPC_ADDRESS: grpcAddress,
  JWKS_URL: `${httpUrl}${jwksPath}`,
})

/** A free port of the loopback interface, where gRPC is plain text, and no time for a load balancer to look away. */
const inProcess = (prefix: string) => ({
  GRPC_INSECURE: 'true',
  [`${prefix}_HTTP_HOST`]: host,
  [`${prefix}_HTTP_PORT`]: '0',
  [`${prefix}_READINESS_DELAY_MS`]: '0',
})

export const openAuth = ({ databaseUrl, secret, addresses, ...parts }: Dependencies) =>
  auth.start(
    {
      ...inProcess('AUTH'),
      ...addresses,
      AUTH_GRPC_HOST: host,
      AUTH_GRPC_PORT: '0',
      AUTH_DATABASE_URL: databaseUrl,
      AUTH_SECRET: secret,
    },
    parts,
  )

export const openCases = ({ databaseUrl, addresses, ...parts }: Omit<Dependencies, 'secret'>) =>
  casesAndCounters.start({ ...inProcess('CASES_AND_COUNTERS'), ...addresses, CASES_AND_COUNTERS_DATABASE_URL: databaseUrl }, parts)

export const openGateway = ({ addresses, ...parts }: Omit<Dependencies, 'secret' | 'databaseUrl'>, ports: Ports) =>
  startGateway(
    gatewayConfig.read({
      ...inProcess('GATEWAY'),
      ...callerLimitsOf(process.env),
      ...addresses,
      GATEWAY_PAGES_CLIENT_ID: frontends.clientId,
      GATEWAY_HTTP_PORT: String(ports.http),
      GATEWAY_CLIENT_HTTP_PORT: String(ports.clientHttp),
    }),
    parts,
  )
