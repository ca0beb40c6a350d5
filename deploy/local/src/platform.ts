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
import { holdGrpcPorts } from './grpc-ports.js'
import { host } from './held-port.js'
import type { Platform, PlatformOptions } from './launcher.js'
import { outsideVariablesOf } from './outside.js'
import { holdPorts, publicUrlsOf } from './ports.js'
import { openPostgres } from './postgres.js'
import { Problem } from './problem.js'
import { openSecrets } from './secrets.js'
import { addressesOf, openGateway, publicAddresses, startHere } from './services.js'

/** Time after which a stop is aborted; PostgreSQL then ends with the process. */
const stopTimeoutMs = 10_000

/** The platform in one process; its parts start in the order of their dependencies. */
export function createPlatform({ config, home, unlock, logOf, onFailure }: PlatformOptions): Platform {
  const life = lifecycle({ log: logOf('local'), readinessDelayMs: 0, stopTimeoutMs })
  const metrics = new Map([...serviceNames, 'gateway'].map((name) => [name, createMetrics(name)]))
  const metricsOf = (name: string) => metrics.get(name) ?? createMetrics(name)
  const outside = outsideVariablesOf(process.env, home)
  let stopping = false

  life.running('lock', () => undefined, unlock)
  // gRPC is plain text here, because it stays on the loopback interface.
  warnOfPlainText(
    definitions.flatMap(({ config: { variables } }) => variables()),
    { ...outside, GRPC_INSECURE: 'true' },
    logOf('local'),
  )
  life.running('tracing', () => startTracing(config, logOf('local')))
  const ports = life.running(
    'ports',
    () => holdPorts(config),
    (held) => held.release(),
  )
  const grpcPorts = life.running('grpc ports', holdGrpcPorts, async ({ release }) => {
    for (const name of serviceNames) await release(name)
  })
  const secrets = life.running(
    'secrets',
    () => openSecrets(home),
    () => undefined,
  )
  const postgres = life.running(
    'postgres',
    async () => {
      const cluster = await openPostgres(home, { password: secrets().postgres })
      void cluster.stopped.then(() => {
        if (!stopping) onFailure(new Problem(`PostgreSQL has ended, and the platform with it: see ${home.path}/postgres.log.`))
      })
      return cluster
    },
    (cluster) => {
      // After the failure of another part this stop runs before that of the platform; the failure is to be reported, not the end of PostgreSQL.
      stopping = true
      return cluster.stop()
    },
  )
  const transport = life.running('events', () => createDirectTransport({ held: true }))

  const options = (name: string) => ({ transport: transport(), log: logOf(name), metrics: metricsOf(name) })
  const addresses: Record<string, string> = {}
  const launch = <Administration>(service: Service<Administration>) =>
    life.running(service.name, async () => {
      const databaseUrl = await openDatabase(postgres(), service.name, secrets())
      const variables = { ...secretVariables(secrets(), service.name), ...folderVariables(home.folder, service.name) }
      const own = { databaseUrl, variables }
      const told = { ...publicAddresses(ports()), ...outside, ...grpcPorts().variables, ...addresses }
      await grpcPorts().release(service.name)
      const running = await startHere(service, own, told, options(service.name))
      Object.assign(addresses, addressesOf(service.name, [running]))
      return running
    })
  const [authService, ...others] = definitions
  const auth = launch(authService)
  for (const service of others as readonly Service[]) launch(service)
  life.running('gateway', async () => {
    await ports().release()
    return openGateway({ ...publicAddresses(ports()), ...addresses }, ports(), options('gateway'))
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
