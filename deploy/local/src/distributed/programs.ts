import { fileURLToPath } from 'node:url'
import { folderVariables, secretVariables } from '@caseway/command/local-secrets'
import type { KafkaSettings } from '@caseway/kit/events'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { databaseUrlVariable, memoryVariablesOf, prefixOf, services, variableOf } from '@caseway/registry'
import { frontends } from '../demo/plan.js'
import { host } from '../held-port.js'
import type { Secrets } from '../secrets.js'
import { addressesOf, publicAddresses } from '../services.js'
import type { Program } from './supervisor.js'

export interface Landscape {
  /** How many of each. */
  copies: number
  events: KafkaSettings
  /** Where each service finds its database. */
  databases: Readonly<Record<string, string>>
  secrets: Secrets
  /** The folder of the installation. */
  home: string
  /** By which each service proves to the others who it is. */
  certificates: Readonly<Record<string, CertificateFiles>>
  /** The addresses of the gateway. */
  ports: { http: number; clientHttp: number; metrics: number }
  /** As many free ports as are asked for, none of them twice. */
  freePort(): Promise<number>
  logFileOf(name: string): string
  logLevel: string
  /** The servers outside of the platform: who sends mails, what scans files, what stores them; and how large files may be. */
  outside: Readonly<Record<string, string>>
}

/** Long enough for the gateway to see that a copy wants no more requests. */
const readinessDelayMs = '1000'

/** Node's compile cache, which all installations of this checkout share. */
const compileCache = fileURLToPath(new URL('../../../../node_modules/.cache/caseway', import.meta.url))

const scriptOf = (service: string) =>
  fileURLToPath(new URL(`../../../../${service === 'gateway' ? service : `services/${service}`}/dist/bundled/main.js`, import.meta.url))

/** Every process of the platform, and how they find each other: the services first, the gateway last. */
export async function programsOf(landscape: Landscape): Promise<Program[][]> {
  const { copies, events, databases, secrets, home, certificates, ports, freePort, logFileOf, logLevel, outside } = landscape
  const shared = {
    ...kafkaVariablesOf(events),
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    LOG_LEVEL: logLevel,
    NODE_COMPILE_CACHE: compileCache,
    ...outside,
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
