import everything from './jest.config.mjs'

/** What needs a Docker Engine: PostgreSQL, Kafka and the images of the services, as they are deployed. */
export default {
  ...everything,
  testMatch: ['<rootDir>/test-e2e/containers/*.containers-test.ts'],
  globalSetup: '<rootDir>/test-e2e/containers/setup.mjs',
  globalTeardown: undefined,
  maxWorkers: 1,
  testTimeout: 60_000,
  collectCoverage: false,
}
