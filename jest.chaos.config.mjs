import everything from './jest.config.mjs'

/** The distributed platform, with what goes wrong in the world: needs Java and Maven for its broker. `CHAOS=long` takes the time that it takes. */
export default {
  ...everything,
  testMatch: ['<rootDir>/test-e2e/chaos/*.chaos-test.ts'],
  maxWorkers: 1,
  testTimeout: 600_000,
  collectCoverage: false,
}
