import everything from './jest.config.mjs'

/** What needs a Kubernetes cluster: the platform as it is rolled out, drained and scaled there. */
export default {
  ...everything,
  testMatch: ['<rootDir>/test-e2e/kubernetes/*.kubernetes-test.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 1,
  testTimeout: 900_000,
  collectCoverage: false,
}
