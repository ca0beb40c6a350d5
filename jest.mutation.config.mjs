import everything from './jest.config.mjs'
import { mutation } from './packages/mutation/transformer.mjs'

/**
 * For `npm run test:mutation`. The server and the key that tests need are there already: packages/mutation starts them once for the whole
 * run. StrykerJS runs the tests that need no database; the others are run one at a time, with one mutation each.
 */
const [compile] = Object.values(everything.transform)
const withoutDatabase = [
  '<rootDir>/{packages/kit,services/*,gateway}/src/**/*.test.ts',
  '<rootDir>/packages/kit/test/http/**/*.test.ts',
  '<rootDir>/packages/kit/test/{tokens,key-set}.test.ts',
]

export default {
  ...everything,
  transform: { '^.+\\.ts$': ['<rootDir>/packages/mutation/transformer.mjs', compile[1]] },
  ...(mutation ? {} : { testMatch: withoutDatabase }),
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 1,
  collectCoverage: false,
}
