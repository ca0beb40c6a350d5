import type { KafkaSettings } from '@caseway/kit/events'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { GenericContainer, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { kafkaBroker } from '../support/kafka-broker.js'
import { images } from './images.js'
import { logOf } from './logs.js'

export interface StartedKafka {
  container: StartedTestContainer
  /** The settings for clients on this machine, and in the network of the containers. */
  here: KafkaSettings
  network: { brokers: string; username: string; password: string }
}

/**
 * Starts a broker with TLS and SASL. Clients on this machine reach it by a mapped port, and containers at `kafka:9093`.
 *
 * A broker advertises its addresses, but the mapped port is known only when the container runs. So the container waits for a start script, which is
 * written when the port is known.
 */
export async function startKafka(network: StartedNetwork, certificate: CertificateFiles): Promise<StartedKafka> {
  const broker = kafkaBroker(certificate)
  const { username, password, startScript } = broker
  const wait = `echo 'waiting for the start script'; until [ -s ${startScript} ]; do sleep 0.1; done; exec bash ${startScript}`
  const container = await new GenericContainer(images.kafka)
    .withNetwork(network)
    .withNetworkAliases('kafka')
    .withExposedPorts(9092)
    .withEnvironment(broker.environment)
    .withCopyContentToContainer(contents(broker.certificates))
    .withEntrypoint(['bash'])
    .withCommand(['-c', wait])
    .withWaitStrategy(Wait.forLogMessage('waiting for the start script'))
    .withLogConsumer(logOf('kafka'))
    .start()
  const bootstrap = `${container.getHost()}:${container.getMappedPort(9092)}`
  // In this order, because the container waits for the script, which is the last file.
  for (const file of contents(broker.start({ host: bootstrap, network: 'kafka:9093' }))) await container.copyContentToContainer([file])
  await line(container, /Kafka Server started/)
  return {
    container,
    here: { brokers: [bootstrap], security: { caFile: certificate.caFile, username, password } },
    network: { brokers: 'kafka:9093', username, password },
  }
}

const contents = (files: Record<string, string>) => Object.entries(files).map(([target, content]) => ({ target, content }))

/** Resolves when the container has logged a matching line; rejects with its log when it ends before. */
async function line(container: StartedTestContainer, expected: RegExp): Promise<void> {
  let text = ''
  for await (const chunk of await container.logs()) {
    text += chunk
    if (expected.test(text)) return
  }
  throw new Error(`The container ended without ${expected}:\n${text}`)
}
