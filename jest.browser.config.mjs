import everything from './jest.config.mjs'

/** The pages in a real browser: needs Chromium (Debian's `chromium`, or the one that `CHROMIUM` names). */
export default {
  ...everything,
  testMatch: ['<rootDir>/test-e2e/browser/*.browser-test.ts'],
  globalSetup: '<rootDir>/test-e2e/browser/setup.mjs',
  globalTeardown: undefined,
  testTimeout: 60_000,
  collectCoverage: false,
}
