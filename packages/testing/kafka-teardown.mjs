import tearDownPostgres from './teardown.mjs'

export default async function tearDown(config) {
  await globalThis.casewayKafka.stop()
  await tearDownPostgres(config)
}
