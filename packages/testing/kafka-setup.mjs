import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBroker } from '@caseway/install/kafka/broker.mjs'
import setUpPostgres from './setup.mjs'

/** What every test has, and a real broker, whose address is in `KAFKA_BROKERS`. */
export default async function setUp(config) {
  await setUpPostgres(config)
  const home = mkdtempSync(join(tmpdir(), 'caseway-kafka-'))
  const broker = await startBroker({ home })
  process.env.KAFKA_BROKERS = broker.address
  globalThis.casewayKafka = {
    async stop() {
      await broker.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
