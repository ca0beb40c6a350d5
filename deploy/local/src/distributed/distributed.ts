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
import type { Home } from '../home.js'
import { publicUrlsOf, reservePorts } from '../ports.js'
import { openPostgres } from '../postgres.js'
import { host } from '../reserved-port.js'
import { openSecrets } from '../secrets.js'
import { publicAddresses } from '../services.js'
import { settingsOf } from '../settings.js'
import { keepRunning } from './keep-running.js'
import { createProcesses } from './processes.js'
import { programsOf } from './programs.js'
import { declareTopics } from './topics.js'

const stopTimeoutMs = 30_000
/** The most that a process of a service opens: a pool of ten, two for rate limits, and one each for the relay and LISTEN. */
const connectionsOfProcess = 14
/** For the command line and the superuser. */
const otherConnections = 30

interface DistributedOptions {
  config: LocalConfig
  home: Home
  unlock(): void
  log: Logger
}

/** The platform as it is deployed: several processes per service, and events over Kafka. */
export function createDistributed({ config, home, unlock, log }: DistributedOptions) {
  const life = lifecycle({ log, readinessDelayMs: 0, stopTimeoutMs })
  const nothing = () => undefined

  life.running('lock', () => undefined, unlock)
  const ports = life.running(
    'ports',
    () => reservePorts(config),
    (reserved) => reserved.release(),
  )
  const secrets = life.running('secrets', () => openSecrets(home), nothing)
  const certificates = life.running('certificates', () => openCertificates(home), nothing)
  const serverPids = () => ({ kafka: kafka()?.current().pid, postgres: runningServer(home.postgres)?.pid })
  const processes = createProcesses({ log, file: home.processes, serverPids })
  // Also before the start, because a platform that was killed leaves its list.
  life.running('process list', processes.removeList, processes.removeList)
  const restarts = { log, onChange: processes.writePids }
  const settings = { max_connections: String(otherConnections + config.copies * serviceNames.length * connectionsOfProcess) }
  const openDatabases = (port?: number) =>
    openPostgres(home, { password: secrets().postgres, port, certificate: certificates().postgres, settings })
  const postgres = life.running('postgres', () => keepRunning({ ...restarts, name: 'postgres', open: openDatabases }))
  const kafka =
    config.kafkaBrokers.length > 0
      ? () => undefined
      : life.running('kafka', () => keepRunning({ ...restarts, name: 'kafka', open: openKafka }))
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
    const options = {
      copies,
      logLevel,
      settings: settingsOf(process.env, home),
      events: events(),
      databases: databases(),
      secrets: secrets(),
      home: home.folder,
      certificates: certificates(),
      ports: ports(),
      freePort,
      logFileOf,
    }
    await ports().release()
    await processes.start(await programsOf(options))
    return processes
  })

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
