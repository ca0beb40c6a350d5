import { definitions } from '@caseway/command/definitions'
import { folderVariables, secretVariables } from '@caseway/command/local-secrets'
import { createDirectTransport } from '@caseway/kit/events'
import { lifecycle } from '@caseway/kit/lifecycle'
import { createMetrics, startMetricsServer } from '@caseway/kit/observability'
import { warnOfPlainText } from '@caseway/kit/process'
import type { Service } from '@caseway/kit/service'
import { startTracing } from '@caseway/kit/tracing'
import { serviceNames } from '@caseway/registry'
import { openDatabase } from './databases.js'
import { ensureDemo } from './demo/demo.js'
import { reserveGrpcPorts } from './grpc-ports.js'
import type { Platform, PlatformOptions } from './launcher.js'
import { publicUrlsOf, reservePorts } from './ports.js'
import { host } from './reserved-port.js'
import { openSecrets } from './secrets.js'
import { addressesOf, openGateway, publicAddresses, startInProcess } from './services.js'
import { settingsOf } from './settings.js'
import { openWatchedPostgres } from './watched-postgres.js'

/** Time after which a stop is aborted; PostgreSQL then ends with the process. */
const stopTimeoutMs = 10_000

/** The platform in one process; its parts start in the order of their dependencies. */
export function createPlatform({ config, home, unlock, logOf, onFailure }: PlatformOptions): Platform {
  const life = lifecycle({ log: logOf('local'), readinessDelayMs: 0, stopTimeoutMs })
  const metrics = new Map([...serviceNames, 'gateway'].map((name) => [name, createMetrics(name)]))
  const metricsOf = (name: string) => metrics.get(name) ?? createMetrics(name)
  const settings = settingsOf(process.env, home)
  let stopping = false

  life.running('lock', () => undefined, unlock)
  // gRPC is plain text here, because it stays on the loopback interface.
  warnOfPlainText(
    definitions.flatMap(({ config: { variables } }) => variables()),
    { ...settings, GRPC_INSECURE: 'true' },
    logOf('local'),
  )
  life.running('tracing', () => startTracing(config, logOf('local')))
  const ports = life.running(
    'ports',
    () => reservePorts(config),
    (reserved) => reserved.release(),
  )
  const grpcPorts = life.running('grpc ports', reserveGrpcPorts, async ({ release }) => {
    for (const name of serviceNames) await release(name)
  })
  const secrets = life.running(
    'secrets',
    () => openSecrets(home),
    () => undefined,
  )
  const postgres = life.running('postgres', () =>
    openWatchedPostgres(home, { password: secrets().postgres, isStopping: () => stopping, onFailure }),
  )
  const transport = life.running('events', () => createDirectTransport({ held: true }))

  const options = (name: string) => ({ transport: transport(), log: logOf(name), metrics: metricsOf(name) })
  const addresses: Record<string, string> = {}
  /** Adds a service; it gets the addresses of those that were added before it. */
  const addService = <Administration>(service: Service<Administration>) =>
    life.running(service.name, async () => {
      const databaseUrl = await openDatabase(postgres(), service.name, secrets())
      const variables = { ...secretVariables(secrets(), service.name), ...folderVariables(home.folder, service.name) }
      const environment = { ...settings, ...publicAddresses(ports()), ...grpcPorts().variables, ...addresses }
      await grpcPorts().release(service.name)
      const running = await startInProcess(service, { databaseUrl, variables }, environment, options(service.name))
      Object.assign(addresses, addressesOf(service.name, [running]))
      return running
    })
  const [authService, ...others] = definitions
  const auth = addService(authService)
  for (const service of others as readonly Service[]) addService(service)
  life.running('gateway', async () => {
    await ports().release()
    return openGateway({ ...settings, ...publicAddresses(ports()), ...addresses }, ports(), options('gateway'))
  })
  life.running('metrics', () => startMetricsServer({ host, port: ports().metrics, metrics: [...metrics.values()], log: logOf('local') }))
  const demo = life.running(
    'demo',
    () => {
      // Opened only after all services have subscribed, so that they receive the events of the demo from the beginning.
      transport().open()
      return ensureDemo(auth().administration, home, publicUrlsOf(ports()))
    },
    () => undefined,
  )

  return {
    async start() {
      await life.start()
      return life.ready() ? demo() : undefined
    },
    stop() {
      stopping = true
      return life.stop()
    },
  }
}
