import { fileURLToPath } from 'node:url'
import { folderVariables, secretVariables } from '@caseway/command/local-secrets'
import type { KafkaSettings } from '@caseway/kit/events'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { databaseUrlVariable, memoryVariablesOf, prefixOf, services, variableOf } from '@caseway/registry'
import { frontends } from '../demo/plan.js'
import { host } from '../reserved-port.js'
import type { Secrets } from '../secrets.js'
import { addressesOf, publicAddresses } from '../services.js'
import type { Program } from './supervisor.js'

export interface ProgramOptions {
  /** Number of processes of each service. */
  copies: number
  events: KafkaSettings
  /** The database URL of each service. */
  databases: Readonly<Record<string, string>>
  secrets: Secrets
  /** The home folder of the installation. */
  home: string
  /** The gRPC certificate of each service. */
  certificates: Readonly<Record<string, CertificateFiles>>
  /** The ports of the gateway. */
  ports: { http: number; clientHttp: number; metrics: number }
  /** Returns a free port, never the same one twice. */
  freePort(): Promise<number>
  logFileOf(name: string): string
  logLevel: string
  /** The variables that are passed on from the launcher's environment. */
  settings: Readonly<Record<string, string>>
}

/** Long enough for the gateway to notice that a copy is not ready any more. */
const readinessDelayMs = '1000'

/** Node's compile cache, shared by all installations of this checkout. */
const compileCache = fileURLToPath(new URL('../../../../node_modules/.cache/caseway', import.meta.url))

const scriptOf = (service: string) =>
  fileURLToPath(new URL(`../../../../${service === 'gateway' ? service : `services/${service}`}/dist/bundled/main.js`, import.meta.url))

/** All programs of the platform with their environment, in the order of their start: first the services, then the gateways. */
export async function programsOf(options: ProgramOptions): Promise<Program[][]> {
  const { copies, events, databases, secrets, home, certificates, ports, freePort, logFileOf, logLevel, settings } = options
  const shared = {
    ...kafkaVariablesOf(events),
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    LOG_LEVEL: logLevel,
    NODE_COMPILE_CACHE: compileCache,
    ...settings,
    ...publicAddresses(ports),
  }
  const numbers = Array.from({ length: copies }, (_, index) => index + 1)
  const placed = await Promise.all(
    services.map(async ({ name, grpc }) => {
      const copies = numbers.map(async (number) => {
        const [httpPort, grpcPort] = [await freePort(), grpc ? await freePort() : undefined]
        return { number, httpPort, grpcPort, httpUrl: `http://${host}:${httpPort}`, grpcAddress: grpcPort ? `${host}:${grpcPort}` : '' }
      })
      return { name, copies: await Promise.all(copies) }
    }),
  )
  const addresses = Object.assign({ ...shared }, ...placed.map(({ name, copies }) => addressesOf(name, copies)))
  const program = (service: string, number: number, env: Record<string, string>): Program => {
    const name = `${service}-${number}`
    const prefix = prefixOf(service)
    const { certFile, keyFile, caFile } = certificates[service] as CertificateFiles
    const own = {
      [`${prefix}_HTTP_HOST`]: host,
      [`${prefix}_METRICS_HOST`]: host,
      [`${prefix}_METRICS_PORT`]: '0',
      [`${prefix}_READINESS_DELAY_MS`]: readinessDelayMs,
      GRPC_CERT_FILE: certFile,
      GRPC_KEY_FILE: keyFile,
      GRPC_CA_FILE: caFile,
    }
    return {
      name,
      script: scriptOf(service),
      logFile: logFileOf(name),
      env: { ...addresses, ...memoryVariablesOf(service), ...own, ...env },
    }
  }
  return [
    ...placed.map(({ name, copies }) =>
      copies.map(({ number, httpPort, grpcPort }) =>
        program(name, number, {
          [variableOf(name, 'HTTP_PORT')]: String(httpPort),
          ...(grpcPort && { [variableOf(name, 'GRPC_HOST')]: host, [variableOf(name, 'GRPC_PORT')]: String(grpcPort) }),
          [databaseUrlVariable(name)]: databases[name] ?? '',
          ...secretVariables(secrets, name),
          ...folderVariables(home, name),
        }),
      ),
    ),
    numbers.map((number) =>
      program('gateway', number, {
        GATEWAY_PAGES_CLIENT_ID: frontends.clientId,
        GATEWAY_HTTP_PORT: String(ports.http),
        GATEWAY_CLIENT_HTTP_PORT: String(ports.clientHttp),
        GATEWAY_METRICS_PORT: String(number === 1 ? ports.metrics : 0),
        GATEWAY_SHARED_PORTS: String(copies > 1),
      }),
    ),
  ]
}

function kafkaVariablesOf({ brokers, security }: KafkaSettings): Record<string, string> {
  const named = { KAFKA_BROKERS: brokers.join(',') }
  if (security === 'plaintext') return { ...named, KAFKA_INSECURE: 'true' }
  const { caFile, username, password } = security
  return { ...named, KAFKA_USERNAME: username, KAFKA_PASSWORD: password, ...(caFile && { KAFKA_CA_FILE: caFile }) }
}
