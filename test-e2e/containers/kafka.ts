import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { KafkaPlace } from '@caseway/kit/events'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { GenericContainer, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { images } from './images.js'
import { logOf } from './logs.js'

const startScript = '/tmp/start.sh'
const propertiesFile = '/tmp/format.properties'
const keystore = '/etc/kafka/secrets/keystore.pem'
const truststore = '/etc/kafka/secrets/ca.pem'
const clusterId = '5L6g3nShT-eMCtK--X86sw'
const username = 'caseway'

const oneNode = {
  KAFKA_NODE_ID: '1',
  KAFKA_PROCESS_ROLES: 'broker,controller',
  KAFKA_LISTENERS: 'HOST://0.0.0.0:9092,NETWORK://0.0.0.0:9093,CONTROLLER://localhost:9094',
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'HOST:SASL_SSL,NETWORK:SASL_SSL,CONTROLLER:PLAINTEXT',
  KAFKA_SASL_ENABLED_MECHANISMS: 'SCRAM-SHA-512',
  KAFKA_SASL_MECHANISM_INTER_BROKER_PROTOCOL: 'SCRAM-SHA-512',
  KAFKA_SSL_KEYSTORE_TYPE: 'PEM',
  KAFKA_SSL_KEYSTORE_LOCATION: keystore,
  KAFKA_SSL_TRUSTSTORE_TYPE: 'PEM',
  KAFKA_SSL_TRUSTSTORE_LOCATION: truststore,
  KAFKA_LOG_DIRS: '/tmp/kafka-logs',
  KAFKA_INTER_BROKER_LISTENER_NAME: 'NETWORK',
  KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
  KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9094',
  KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
  KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
  KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
  KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
  // Nobody may make a topic by asking for it.
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
  KAFKA_HEAP_OPTS: '-Xms128m -Xmx512m',
}

/** The broker is a client of itself; and each listener with SASL wants an entry of its own. */
function signIn(password: string): Record<string, string> {
  const entry = `org.apache.kafka.common.security.scram.ScramLoginModule required username="${username}" password="${password}";`
  return Object.fromEntries(['HOST', 'NETWORK'].map((name) => [`KAFKA_LISTENER_NAME_${name}_SCRAM___SHA___512_SASL_JAAS_CONFIG`, entry]))
}

/** What the image makes of these variables: `KAFKA_X_Y` is `x.y`, and `___` is `-`. */
const propertiesOf = (environment: Record<string, string>) =>
  Object.entries(environment)
    .filter(([name]) => name !== 'KAFKA_HEAP_OPTS')
    .map(([name, value]) => `${name.slice('KAFKA_'.length).replaceAll('___', '-').replaceAll('_', '.').toLowerCase()}=${value}`)
    .join('\n')

export interface StartedKafka {
  container: StartedTestContainer
  /** As clients reach it from here, and from the network of the containers. */
  here: KafkaPlace
  network: { brokers: string; username: string; password: string }
}

/**
 * A broker with TLS and SASL that clients reach from here by a mapped port and at `kafka:9093` from the network. Its storage is formatted before
 * the image would do it, because only then the first user can be created (KIP-900).
 *
 * A broker tells its clients where to connect, but which port it got here is known only once the container runs. So the container waits
 * for a start script, which is written when the port is known.
 */
export async function startKafka(network: StartedNetwork, { certFile, keyFile, caFile }: CertificateFiles): Promise<StartedKafka> {
  const password = randomBytes(16).toString('hex')
  const environment = { ...oneNode, ...signIn(password) }
  const wait = `echo 'waiting for the start script'; until [ -s ${startScript} ]; do sleep 0.1; done; exec bash ${startScript}`
  const container = await new GenericContainer(images.kafka)
    .withNetwork(network)
    .withNetworkAliases('kafka')
    .withExposedPorts(9092)
    .withEnvironment({ ...environment, CLUSTER_ID: clusterId })
    .withCopyContentToContainer([
      { target: keystore, content: `${readFileSync(keyFile, 'utf8')}${readFileSync(certFile, 'utf8')}` },
      { target: truststore, content: readFileSync(caFile, 'utf8') },
    ])
    .withEntrypoint(['bash'])
    .withCommand(['-c', wait])
    .withWaitStrategy(Wait.forLogMessage('waiting for the start script'))
    .withLogConsumer(logOf('kafka'))
    .start()
  const bootstrap = `${container.getHost()}:${container.getMappedPort(9092)}`
  const advertised = `HOST://${bootstrap},NETWORK://kafka:9093`
  const user = `SCRAM-SHA-512=[name=${username},password=${password}]`
  const content = [
    'set -e',
    `java -Xmx128m -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format -t ${clusterId} --add-scram '${user}' -c ${propertiesFile}`,
    `export KAFKA_ADVERTISED_LISTENERS=${advertised}`,
    'exec /etc/kafka/docker/run',
  ]
  const properties = propertiesOf({ ...environment, KAFKA_ADVERTISED_LISTENERS: advertised })
  await container.copyContentToContainer([{ target: propertiesFile, content: properties }])
  await container.copyContentToContainer([{ target: startScript, content: content.join('\n') }])
  await line(container, /Kafka Server started/)
  return {
    container,
    here: { brokers: [bootstrap], security: { caFile, username, password } },
    network: { brokers: 'kafka:9093', username, password },
  }
}

/** Resolves when the container has said a matching line; rejects with all that it said when it ends before. */
async function line(container: StartedTestContainer, expected: RegExp): Promise<void> {
  let text = ''
  for await (const chunk of await container.logs()) {
    text += chunk
    if (expected.test(text)) return
  }
  throw new Error(`The container ended without ${expected}:\n${text}`)
}
