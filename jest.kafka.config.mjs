import everything from './jest.config.mjs'

/** The contract of the transport over a real broker: `KAFKA_BROKERS` names it. */
export default {
  ...everything,
  testMatch: ['<rootDir>/packages/kit/test/kafka/*.kafka-test.ts'],
  testTimeout: 60_000,
  collectCoverage: false,
}
