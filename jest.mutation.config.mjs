import everything from './jest.config.mjs'
import mail from './jest.mail.config.mjs'

/**
 * For `npm run test:mutation`. The server and the key that tests need are there already: packages/mutation starts them once for the whole
 * run, and says which suites run.
 */
const [compile] = Object.values(everything.transform)

export default {
  ...everything,
  testMatch: [
    ...everything.testMatch,
    '<rootDir>/services/*/test/chaos/*.chaos-test.ts',
    '<rootDir>/services/mail/test/mail/*.mail-test.ts',
  ],
  testTimeout: mail.testTimeout,
  transform: { '^.+\\.ts$': ['<rootDir>/packages/mutation/transformer.mjs', compile[1]] },
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 1,
  collectCoverage: false,
}
