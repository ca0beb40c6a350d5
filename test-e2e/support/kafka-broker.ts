import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CertificateFiles } from '@caseway/kit/grpc'

const folder = '/etc/kafka/secrets'
const keystore = `${folder}/keystore.pem`
const truststore = `${folder}/ca.pem`
const propertiesFile = `${folder}/format.properties`
const startScript = `${folder}/start.sh`
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
  // A request must not create a topic.
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
  KAFKA_HEAP_OPTS: '-Xms128m -Xmx512m',
}

/** The broker connects to itself as a client, and each SASL listener needs an entry. */
function signIn(password: string): Record<string, string> {
  const entry = `org.apache.kafka.common.security.scram.ScramLoginModule required username="${username}" password="${password}";`
  return Object.fromEntries(['HOST', 'NETWORK'].map((name) => [`KAFKA_LISTENER_NAME_${name}_SCRAM___SHA___512_SASL_JAAS_CONFIG`, entry]))
}

/** The properties that the image makes of these variables: `KAFKA_X_Y` becomes `x.y`, and `___` becomes `-`. */
const propertiesOf = (environment: Record<string, string>) =>
  Object.entries(environment)
    .filter(([name]) => name !== 'KAFKA_HEAP_OPTS')
    .map(([name, value]) => `${name.slice('KAFKA_'.length).replaceAll('___', '-').replaceAll('_', '.').toLowerCase()}=${value}`)
    .join('\n')

/** The advertised addresses of the two listeners, as `host:port`. */
export interface BrokerAddresses {
  host: string
  network: string
}

/** The configuration of a container of `apache/kafka` as a broker with TLS and SASL, which listens on 9092 (HOST) and 9093 (NETWORK). */
export interface KafkaBroker {
  readonly username: string
  readonly password: string
  readonly environment: Record<string, string>
  /** File contents by path. */
  readonly certificates: Record<string, string>
  /** File contents by path, which depend on the advertised addresses. */
  start(addresses: BrokerAddresses): Record<string, string>
  /** A bash command to run when all files exist. */
  readonly startScript: string
}

/**
 * Creates the configuration of a broker. The storage is formatted before the image would do it, because only then the first user can be created
 * (KIP-900).
 */
export function kafkaBroker({ certFile, keyFile, caFile }: CertificateFiles, password = randomBytes(16).toString('hex')): KafkaBroker {
  const environment = { ...oneNode, ...signIn(password) }
  return {
    username,
    password,
    environment: { ...environment, CLUSTER_ID: clusterId },
    certificates: {
      [keystore]: `${readFileSync(keyFile, 'utf8')}${readFileSync(certFile, 'utf8')}`,
      [truststore]: readFileSync(caFile, 'utf8'),
    },
    start({ host, network }) {
      const advertised = `HOST://${host},NETWORK://${network}`
      const user = `SCRAM-SHA-512=[name=${username},password=${password}]`
      const format = `java -Xmx128m -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format -t ${clusterId} --add-scram '${user}' -c ${propertiesFile}`
      const lines = ['set -e', format, `export KAFKA_ADVERTISED_LISTENERS=${advertised}`, 'exec /etc/kafka/docker/run']
      return {
        [propertiesFile]: propertiesOf({ ...environment, KAFKA_ADVERTISED_LISTENERS: advertised }),
        [startScript]: lines.join('\n'),
      }
    },
    startScript,
  }
}
