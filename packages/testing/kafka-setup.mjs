import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCertificates } from '@caseway/install/certificates/authority.mjs'
import { startBroker } from '@caseway/install/kafka/broker.mjs'
import setUpPostgres from './setup.mjs'

/** The common setup, and a real broker with TLS and a user, in the variables of the services. */
export default async function setUp(config) {
  await setUpPostgres(config)
  const home = mkdtempSync(join(tmpdir(), 'caseway-kafka-'))
  const { kafka: certificate } = await writeCertificates(join(home, 'certificates'), { kafka: ['127.0.0.1'] })
  const { address, security, ...broker } = await startBroker({ home, certificate, password: randomUUID() })
  const { caFile, username, password } = security
  Object.assign(process.env, { KAFKA_BROKERS: address, KAFKA_CA_FILE: caFile, KAFKA_USERNAME: username, KAFKA_PASSWORD: password })
  globalThis.casewayKafka = {
    async stop() {
      await broker.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
