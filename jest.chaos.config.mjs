import everything from './jest.config.mjs'

/**
 * What goes wrong in the world, with real servers: needs Java and Maven for a broker and a store, a clamd (Debian: `clamav-daemon`), and root to
 * mount small disks. `CHAOS=long` takes the time that it takes.
 */
export default {
  ...everything,
  testMatch: ['<rootDir>/{test-e2e/chaos,services/*/test/chaos}/*.chaos-test.ts'],
  testTimeout: 600_000,
  collectCoverage: false,
}
