import { fileURLToPath } from 'node:url'
import type { KafkaPlace } from '@caseway/kit/events'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { frontends } from '../demo/plan.js'
import type { Secrets } from '../secrets.js'
import type { Program } from './supervisor.js'

export interface Landscape {
  /** How many of each. */
  copies: number
  events: KafkaPlace
  /** Where each service finds its database. */
  databases: { auth: string; cases: string }
  secrets: Secrets
  /** By which each service proves to the others who it is. */
  certificates: Record<ServiceName, CertificateFiles>
  /** The addresses of the gateway. */
  ports: { http: number; clientHttp: number; metrics: number }
  /** As many free ports as are asked for, none of them twice. */
  freePort(): Promise<number>
  logFileOf(name: string): string
  logLevel: string
}

type ServiceName = 'auth' | 'cases-and-counters' | 'gateway'

const host = '127.0.0.1'
/** Long enough for the gateway to see that a copy wants no more requests. */
const readinessDelayMs = '1000'

const scriptOf = (service: ServiceName) =>
  fileURLToPath(new URL(`../../../../${service === 'gateway' ? service : `services/${service}`}/dist/main.js`, import.meta.url))

/** Every process of the platform, and how they find each other: the services first, the gateway last. */
export async function programsOf(landscape: Landscape): Promise<Program[][]> {
  const { copies, events, databases, secrets, certificates, ports, freePort, logFileOf, logLevel } = landscape
  const shared = {
    ...kafkaVariablesOf(events),
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    LOG_LEVEL: logLevel,
    EXPERT_URL: `http://${host}:${ports.http}`,
    CLIENT_URL: `http://${host}:${ports.clientHttp}`,
    TOKEN_ISSUER: 'caseway',
  }
  const numbers = Array.from({ length: copies }, (_, index) => index + 1)
  const auth = await Promise.all(numbers.map(async (number) => ({ number, http: await freePort(), grpc: await freePort() })))
  const cases = await Promise.all(numbers.map(async (number) => ({ number, http: await freePort() })))
  const urlsOf = (some: readonly { http: number }[]) => some.map(({ http }) => `http://${host}:${http}`).join(',')
  const addresses = {
    ...shared,
    AUTH_GRPC_ADDRESS: `ipv4:${auth.map(({ grpc }) => `${host}:${grpc}`).join(',')}`,
    JWKS_URL: auth.map(({ http }) => `http://${host}:${http}/.well-known/jwks.json`).join(','),
  }
  const program = (service: ServiceName, prefix: string, number: number, env: Record<string, string>): Program => {
    const name = `${service}-${number}`
    const { certFile, keyFile, caFile } = certificates[service]
    const own = {
      [`${prefix}_HTTP_HOST`]: host,
      [`${prefix}_METRICS_HOST`]: host,
      [`${prefix}_READINESS_DELAY_MS`]: readinessDelayMs,
      GRPC_CERT_FILE: certFile,
      GRPC_KEY_FILE: keyFile,
      GRPC_CA_FILE: caFile,
    }
    return { name, script: scriptOf(service), logFile: logFileOf(name), env: { ...own, ...env } }
  }
  return [
    auth.map(({ number, http, grpc }) =>
      program('auth', 'AUTH', number, {
        ...shared,
        AUTH_HTTP_PORT: String(http),
        AUTH_GRPC_HOST: host,
        AUTH_GRPC_PORT: String(grpc),
        AUTH_METRICS_PORT: '0',
        AUTH_DATABASE_URL: databases.auth,
        AUTH_SECRET: secrets.authSecret,
      }),
    ),
    cases.map(({ number, http }) =>
      program('cases-and-counters', 'CASES_AND_COUNTERS', number, {
        ...addresses,
        CASES_AND_COUNTERS_HTTP_PORT: String(http),
        CASES_AND_COUNTERS_METRICS_PORT: '0',
        CASES_AND_COUNTERS_DATABASE_URL: databases.cases,
      }),
    ),
    numbers.map((number) =>
      program('gateway', 'GATEWAY', number, {
        ...addresses,
        AUTH_URL: urlsOf(auth),
        CASES_AND_COUNTERS_URL: urlsOf(cases),
        GATEWAY_PAGES_CLIENT_ID: frontends.clientId,
        GATEWAY_HTTP_PORT: String(ports.http),
        GATEWAY_CLIENT_HTTP_PORT: String(ports.clientHttp),
        GATEWAY_METRICS_PORT: String(number === 1 ? ports.metrics : 0),
        GATEWAY_SHARED_PORTS: String(copies > 1),
      }),
    ),
  ]
}

function kafkaVariablesOf({ brokers, security }: KafkaPlace): Record<string, string> {
  const named = { KAFKA_BROKERS: brokers.join(',') }
  if (security === 'plaintext') return { ...named, KAFKA_INSECURE: 'true' }
  const { caFile, username, password } = security
  return { ...named, KAFKA_USERNAME: username, KAFKA_PASSWORD: password, ...(caFile && { KAFKA_CA_FILE: caFile }) }
}
