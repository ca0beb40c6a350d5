import { join } from 'node:path'
import { definitions } from '@caseway/command/definitions'
import { databaseVariables, secretVariables } from '@caseway/command/local-secrets'
import { writeCertificates } from '@caseway/install/certificates/authority.mjs'
import { freePort } from '@caseway/install/free-port.mjs'
import { startBroker } from '@caseway/install/kafka/broker.mjs'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import { kafkaSettings } from '@caseway/kit/config'
import type { KafkaSettings } from '@caseway/kit/events'
import { lifecycle } from '@caseway/kit/lifecycle'
import type { Logger } from '@caseway/kit/observability'
import { byService, serviceNames } from '@caseway/registry'
import type { LocalConfig } from '../config.js'
import { openDatabase } from '../databases.js'
import { ensureDemo } from '../demo/demo.js'
import type { Demo } from '../demo/demo-file.js'
import { host } from '../held-port.js'
import { type Home, writePrivately } from '../home.js'
import { outsideVariablesOf } from '../outside.js'
import { holdPorts, publicUrlsOf } from '../ports.js'
import { openPostgres } from '../postgres.js'
import { openSecrets } from '../secrets.js'
import { publicAddresses } from '../services.js'
import { keep } from './keep.js'
import { programsOf } from './programs.js'
import { type Supervised, supervise } from './supervisor.js'
import { declareTopics } from './topics.js'

const stopTimeoutMs = 30_000

interface DistributedOptions {
  config: LocalConfig
  home: Home
  unlock(): void
  log: Logger
}

/** The platform as it is deployed: several processes per service, and events over Kafka. */
export function createDistributed({ config, home, unlock, log }: DistributedOptions) {
  const life = lifecycle({ log, readinessDelayMs: 0, stopTimeoutMs })
  const running = new Map<string, Supervised>()
  const nothing = () => undefined

  life.running('lock', () => undefined, unlock)
  const ports = life.running(
    'ports',
    () => holdPorts(config),
    (held) => held.release(),
  )
  const secrets = life.running('secrets', () => openSecrets(home), nothing)
  const certificates = life.running('certificates', () => openCertificates(home), nothing)
  const watched = { log, onChange: () => writeProcesses() }
  const openDatabases = (port?: number) => openPostgres(home, { password: secrets().postgres, port, certificate: certificates().postgres })
  const postgres = life.running('postgres', () => keep({ ...watched, name: 'postgres', open: openDatabases }))
  const kafka =
    config.kafkaBrokers.length > 0 ? () => undefined : life.running('kafka', () => keep({ ...watched, name: 'kafka', open: openKafka }))
  const openKafka = (port?: number) =>
    startBroker({ home: join(home.folder, 'kafka'), port, certificate: certificates().kafka, password: secrets().kafka })
  const events = (): KafkaSettings => {
    const own = kafka()?.current()
    return own ? { brokers: [own.address], security: own.security } : kafkaSettings(config)
  }
  life.running('topics', () => declareTopics(events(), log), nothing)
  const databases = life.running(
    'databases',
    async () => {
      const urls: Record<string, string> = {}
      for (const name of serviceNames) urls[name] = await openDatabase(postgres().current(), name, secrets())
      return urls
    },
    nothing,
  )
  const demo = life.running(
    'demo',
    async () => {
      const env = { ...publicAddresses(ports()), ...databaseVariables((name) => databases()[name] ?? ''), ...secretVariables(secrets()) }
      const { administration, close } = await definitions[0].open(env)
      return ensureDemo(administration, home, publicUrlsOf(ports())).finally(close)
    },
    nothing,
  )
  life.running('processes', async () => {
    const { copies, logLevel } = config
    const logFileOf = (name: string) => join(home.folder, `${name}.log`)
    const common = {
      copies,
      logLevel,
      outside: outsideVariablesOf(process.env, home),
      events: events(),
      databases: databases(),
      secrets: secrets(),
      home: home.folder,
      certificates: certificates(),
      ports: ports(),
    }
    await ports().release()
    const stages = await programsOf({ ...common, freePort, logFileOf })
    for (const stage of stages) {
      const started = stage.map(async (program) => {
        running.set(program.name, await supervise(program, { log, onChange: writeProcesses }))
      })
      await Promise.all(started)
    }
    writeProcesses()
    return { stop: stopProcesses }
  })

  /** Stops the gateway first, so that no request reaches a stopped service. */
  async function stopProcesses(): Promise<void> {
    const [gateways, services] = [[...running].filter(isGateway), [...running].filter((entry) => !isGateway(entry))]
    for (const some of [gateways, services]) await Promise.all(some.map(([, supervised]) => supervised.stop()))
  }

  function writeProcesses(): void {
    const pids = [...running].map(([name, supervised]) => [name, supervised.pid()] as const)
    const all = [...pids, ['kafka', kafka()?.current().pid] as const, ['postgres', runningServer(home.postgres)?.pid] as const]
    writePrivately(home.processes, Object.fromEntries(all.filter(([, pid]) => pid !== undefined)))
  }

  return {
    async start(): Promise<Demo | undefined> {
      await life.start()
      return life.ready() ? demo() : undefined
    },
    stop: life.stop,
  }
}

/** Creates certificates of a new authority, whose key is discarded afterwards. */
const openCertificates = (home: Home) =>
  writeCertificates(home.certificates, { ...byService(() => []), gateway: [], kafka: [host], postgres: [host] })

const isGateway = ([name]: [string, Supervised]) => name.startsWith('gateway-')
