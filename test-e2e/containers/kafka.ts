import { GenericContainer, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { images } from './images.js'
import { logOf } from './logs.js'

const startScript = '/tmp/start.sh'

const oneNode = {
  KAFKA_NODE_ID: '1',
  KAFKA_PROCESS_ROLES: 'broker,controller',
  KAFKA_LISTENERS: 'HOST://0.0.0.0:9092,NETWORK://0.0.0.0:9093,CONTROLLER://0.0.0.0:9094',
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'HOST:PLAINTEXT,NETWORK:PLAINTEXT,CONTROLLER:PLAINTEXT',
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

/**
 * A broker that clients reach at `bootstrap` from here and at `kafka:9093` from the network.
 *
 * A broker tells its clients where to connect, but which port it got here is known only once the container runs. So the container waits
 * for a start script, which is written when the port is known.
 */
export async function startKafka(network: StartedNetwork): Promise<{ container: StartedTestContainer; bootstrap: string }> {
  const wait = `echo 'waiting for the start script'; until [ -s ${startScript} ]; do sleep 0.1; done; exec bash ${startScript}`
  const container = await new GenericContainer(images.kafka)
    .withNetwork(network)
    .withNetworkAliases('kafka')
    .withExposedPorts(9092)
    .withEnvironment(oneNode)
    .withEntrypoint(['bash'])
    .withCommand(['-c', wait])
    .withWaitStrategy(Wait.forLogMessage('waiting for the start script'))
    .withLogConsumer(logOf('kafka'))
    .start()
  const bootstrap = `${container.getHost()}:${container.getMappedPort(9092)}`
  const advertised = `HOST://${bootstrap},NETWORK://kafka:9093`
  const content = `export KAFKA_ADVERTISED_LISTENERS=${advertised}\nexec /etc/kafka/docker/run\n`
  await container.copyContentToContainer([{ target: startScript, content }])
  await line(container, /Kafka Server started/)
  return { container, bootstrap }
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
