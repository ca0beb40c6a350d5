import { createDirectTransport } from '@caseway/kit/events'
import { lifecycle } from '@caseway/kit/lifecycle'
import { createMetrics, startMetricsServer } from '@caseway/kit/observability'
import { warnOfPlainText } from '@caseway/kit/process'
import { startTracing } from '@caseway/kit/tracing'
import { openDatabase } from './databases.js'
import { ensureDemo } from './demo/demo.js'
import type { Platform, PlatformOptions } from './launcher.js'
import { acquireLock } from './lock.js'
import { addressesOf, findPorts, host } from './ports.js'
import { openPostgres } from './postgres.js'
import { Problem } from './problem.js'
import { openSecrets } from './secrets.js'
import { addressesOfAuth, openAuth, openCases, openGateway, publicAddresses } from './services.js'

/** A stop that takes longer is aborted; PostgreSQL then ends with the process. */
const stopTimeoutMs = 8000

/** The parts of the platform, in the order in which they need each other. */
export function createPlatform({ config, home, logOf, onFailure }: PlatformOptions): Platform {
  const life = lifecycle({ log: logOf('local'), readinessDelayMs: 0, stopTimeoutMs })
  const metrics = { auth: createMetrics('auth'), cases: createMetrics('cases-and-counters'), gateway: createMetrics('gateway') }
  let stopping = false

  life.running(
    'lock',
    () => acquireLock(home.lock),
    (release) => release(),
  )
  // It stays within this process, on the loopback interface.
  warnOfPlainText({ grpcInsecure: true }, logOf('local'))
  life.running('tracing', () => startTracing(config, logOf('local')))
  const ports = life.running(
    'ports',
    () => findPorts(config),
    () => undefined,
  )
  const secrets = life.running(
    'secrets',
    () => openSecrets(home),
    () => undefined,
  )
  const postgres = life.running('postgres', async () => {
    const cluster = await openPostgres(home, { password: secrets().postgres })
    void cluster.stopped.then(() => {
      if (!stopping) onFailure(new Problem(`PostgreSQL has ended, and with it the platform; ${home.path}/postgres.log has more.`))
    })
    return cluster
  })
  const transport = life.running('events', () => createDirectTransport({ held: true }))

  const parts = (service: string) => ({ transport: transport(), log: logOf(service) })
  const auth = life.running('auth', async () => {
    const databaseUrl = await openDatabase(postgres(), { name: 'auth', password: secrets().auth })
    const addresses = publicAddresses(ports())
    return openAuth({ ...parts('auth'), databaseUrl, secret: secrets().authSecret, addresses, metrics: metrics.auth })
  })
  const addresses = () => ({ ...publicAddresses(ports()), ...addressesOfAuth(auth()) })
  const cases = life.running('cases-and-counters', async () => {
    const databaseUrl = await openDatabase(postgres(), { name: 'cases-and-counters', password: secrets().casesAndCounters })
    return openCases({ ...parts('cases-and-counters'), databaseUrl, addresses: addresses(), metrics: metrics.cases })
  })
  life.running('gateway', () => {
    const services = { ...addresses(), CASES_AND_COUNTERS_URL: cases().httpUrl }
    return openGateway({ ...parts('gateway'), addresses: services, metrics: metrics.gateway }, ports())
  })
  life.running('metrics', () => startMetricsServer({ host, port: ports().metrics, metrics: Object.values(metrics), log: logOf('local') }))
  const demo = life.running(
    'demo',
    () => {
      // Everybody has subscribed, and hears of the demo from the beginning.
      transport().open()
      return ensureDemo(auth().administration, home, addressesOf(ports()))
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
