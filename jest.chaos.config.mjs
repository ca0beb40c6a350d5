import everything from './jest.config.mjs'

/**
 * What goes wrong in the world, with real servers: needs Java and Maven for a broker and a store, a clamd (Debian: `clamav-daemon`), and root to
 * mount small disks. `CHAOS=long` takes the time that it takes. One file after the other: each of them loads a platform of up to eighteen processes,
 * and what they promise under that load does not hold beside the load of another.
 */
export default {
  ...everything,
  testMatch: ['<rootDir>/{test-e2e/chaos,services/*/test/chaos}/*.chaos-test.ts'],
  maxWorkers: 1,
  testTimeout: 600_000,
  collectCoverage: false,
}
