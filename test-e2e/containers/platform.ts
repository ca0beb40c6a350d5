import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auth as authService } from '@caseway/auth/wiring'
import { writeCertificates } from '@caseway/install/certificates/authority.mjs'
import type { KafkaSettings } from '@caseway/kit/events'
import { createLog } from '@caseway/kit/observability'
import {
  byService,
  databaseUrlVariable,
  grpcAddressVariable,
  type ServiceName,
  serviceNames,
  services,
  urlVariable,
  variableOf,
} from '@caseway/registry'
import { Network, type StartedTestContainer } from 'testcontainers'
import { ensureDemo } from '../../deploy/local/src/demo/demo.js'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { declareTopics } from '../../deploy/local/src/distributed/topics.js'
import { openHome } from '../../deploy/local/src/home.js'
import type { Service } from './images.js'
import { startKafka } from './kafka.js'
import { login, startPostgres } from './postgres.js'
import { mounted, ServiceContainer } from './service-container.js'

/** The public URLs in the configuration; the tests use mapped ports. */
export const publicUrls = { EXPERT_URL: 'https://experts.caseway.example', CLIENT_URL: 'https://clients.caseway.example' }

export type Administration = Awaited<ReturnType<typeof authService.open>>['administration']

export interface Platform {
  demo: Demo
  administration: Administration
  services: Record<Service, StartedTestContainer>
  /** Starts another copy of a service, with the same network alias. */
  serve(service: ServiceName): Promise<StartedTestContainer>
  /** The settings of Kafka for clients on this machine. */
  events: KafkaSettings
  /** Runs the migration job of a service again. */
  migrate(service: ServiceName): Promise<string>
  /** Runs a command of the command line in its image. Resolves with its output. */
  caseway(...command: string[]): Promise<string>
  stop(): Promise<void>
}

/** Starts PostgreSQL, Kafka and our images in one network, with the accounts of the demo. */
export async function startPlatform(): Promise<Platform> {
  const network = await new Network().start()
  const home = mkdtempSync(join(tmpdir(), 'caseway-containers-'))
  const certificates = await openCertificates(join(home, 'certificates'))
  const [postgres, kafka] = await Promise.all([
    startPostgres(network, { databases: serviceNames, certificate: certificates.postgres, caFileInside: mounted.GRPC_CA_FILE }),
    startKafka(network, certificates.kafka),
  ])
  const roles = byService(({ name }) => login(name))

  const migrate = (service: ServiceName) =>
    new ServiceContainer(service, network, {
      [variableOf(service, 'OWNER_DATABASE_URL')]: postgres.url(service, postgres.owner),
      [variableOf(service, 'ROLE_PASSWORD')]: roles[service].password,
    })
      .withCertificate(certificates[service])
      .run(['node', 'dist/migrate.js'], `${service}-migrate`)
  const log = createLog({ service: 'containers', level: 'warn' })
  await Promise.all([...serviceNames.map(migrate), declareTopics(kafka.here, log)])

  const random = () => randomBytes(32).toString('base64')
  const secrets = byService(({ name, secrets }) => Object.fromEntries(secrets.map((secret) => [variableOf(name, secret), random()])))
  const shared = {
    ...publicUrls,
    TOKEN_ISSUER: 'caseway',
    KAFKA_BROKERS: kafka.network.brokers,
    KAFKA_USERNAME: kafka.network.username,
    KAFKA_PASSWORD: kafka.network.password,
    KAFKA_CA_FILE: mounted.GRPC_CA_FILE,
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
  }
  const grpcAddresses = services.flatMap(({ name, grpc }) => (grpc ? [[grpcAddressVariable(name), `dns:///${name}:50051`]] : []))
  const addresses = { ...shared, ...Object.fromEntries(grpcAddresses), JWKS_URL: 'http://auth:3000/.well-known/jwks.json' }
  const ofService = (name: ServiceName) => ({ [databaseUrlVariable(name)]: postgres.url(name, roles[name]), ...secrets[name] })
  const caseway = (...command: string[]) =>
    new ServiceContainer('caseway', network, Object.assign({}, addresses, ...serviceNames.map(ofService)))
      .withCertificate(certificates.caseway)
      .run(['node', 'dist/main.js', ...command], 'caseway')
  const serve = async (name: ServiceName) => {
    const container = new ServiceContainer(name, network, {
      ...addresses,
      [variableOf(name, 'READINESS_DELAY_MS')]: '100',
      ...ofService(name),
    })
    if (services.find((service) => service.name === name)?.keepsFolder)
      container.withTmpFs({ [`/var/lib/caseway/${name}`]: 'uid=1000,mode=700', '/tmp': 'uid=1000,mode=700' })
    return container.withCertificate(certificates[name]).serve(name)
  }
  const auth = await serve('auth')
  const [others, gateway] = await Promise.all([
    Promise.all(serviceNames.filter((name) => name !== 'auth').map(async (name) => [name, await serve(name)] as const)),
    new ServiceContainer('gateway', network, {
      ...addresses,
      GATEWAY_READINESS_DELAY_MS: '100',
      // One account sends the load of many.
      GATEWAY_REQUESTS_PER_MINUTE: '1000000',
      // So that new copies soon get connections.
      GATEWAY_UPSTREAM_CONNECTION_MS: '1000',
      ...Object.fromEntries(serviceNames.map((name) => [urlVariable(name), `http://${name}:3000`])),
    })
      .withCertificate(certificates.gateway)
      .withExposedPorts(3000, 3001, 9464)
      .serve('gateway'),
  ])

  const databaseUrl = postgres.url('auth', roles.auth, 'here')
  const { administration, close } = await authService.open({
    ...{ AUTH_DATABASE_URL: databaseUrl, ...secrets.auth, TOKEN_ISSUER: shared.TOKEN_ISSUER },
  })
  const at = (port: number) => `http://${gateway.getHost()}:${gateway.getMappedPort(port)}`
  const seenFromHere = { base_url: at(3000), client_base_url: at(3001), metrics_url: `${at(9464)}/metrics` }
  const demo = await ensureDemo(administration, await openHome(home), seenFromHere)

  const running: Platform['services'] = { ...(Object.fromEntries(others) as Record<ServiceName, StartedTestContainer>), auth, gateway }
  return {
    demo,
    administration,
    services: running,
    serve,
    events: kafka.here,
    migrate,
    caseway,
    async stop() {
      await close()
      await Promise.all(
        [...Object.values(running), kafka.container, postgres.container].map((container) => container.stop({ timeout: 1_000 })),
      )
      await network.stop()
      rmSync(home, { recursive: true })
    },
  }
}

/** The host names of mapped ports. */
const here = ['localhost', '127.0.0.1']

/** Creates certificates of a temporary authority. The keys must be readable for the user of the containers. */
async function openCertificates(folder: string) {
  const certificates = await writeCertificates(folder, {
    ...byService(() => []),
    ...{ gateway: [], caseway: [], kafka: here, postgres: here },
  })
  for (const { keyFile } of Object.values(certificates)) chmodSync(keyFile, 0o644)
  return certificates
}
