import everything from './jest.config.mjs'

/** What needs a real mail server, and so Dovecot. */
export default {
  ...everything,
  testMatch: ['<rootDir>/{packages/testing/test,services/mail/test/mail,test-e2e/journeys}/*.mail-test.ts'],
  testTimeout: 90_000,
  collectCoverage: false,
}
