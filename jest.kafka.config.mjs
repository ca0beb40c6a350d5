import everything from './jest.config.mjs'

/** What needs a real broker, and so Java and Maven. */
export default {
  ...everything,
  testMatch: ['<rootDir>/packages/kit/test/kafka/*.kafka-test.ts'],
  globalSetup: '<rootDir>/packages/testing/kafka-setup.mjs',
  globalTeardown: '<rootDir>/packages/testing/kafka-teardown.mjs',
  testTimeout: 90_000,
  collectCoverage: false,
}
