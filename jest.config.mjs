/** One run over every workspace: TypeScript by swc, packages by their sources, so that coverage speaks of what we wrote. */
export default {
  testEnvironment: 'node',
  testMatch: [
    '<rootDir>/{packages,services}/*/{src,test}/**/*.test.ts',
    '<rootDir>/{gateway,test-e2e,bench}/**/*.test.ts',
    '<rootDir>/deploy/*/**/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '<rootDir>/.stryker/'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.stryker/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@caseway/kit/([^/]+)$': '<rootDir>/packages/kit/src/$1/index.ts',
    '^@caseway/testing$': '<rootDir>/packages/testing/src/index.ts',
    '^@caseway/testing/(.+)$': '<rootDir>/packages/testing/src/$1.ts',
    '^@caseway/people$': '<rootDir>/packages/people/src/index.ts',
    '^@caseway/registry$': '<rootDir>/packages/registry/src/index.ts',
    '^@caseway/registry/(.+)$': '<rootDir>/packages/registry/src/$1.ts',
    '^@caseway/protos/descriptors.binpb$': '<rootDir>/protos/descriptors.binpb',
    '^@caseway/protos/(topics?)$': '<rootDir>/protos/src/$1.ts',
    '^@caseway/protos/(.+)$': '<rootDir>/protos/src/gen/caseway/$1.ts',
    '^@caseway/gateway/(.+)$': '<rootDir>/gateway/src/$1.ts',
    '^@caseway/command/(.+)$': '<rootDir>/deploy/caseway/src/$1.ts',
    // Whatever is left is a service.
    '^@caseway/(?!install/)([^/]+)/(.+)$': '<rootDir>/services/$1/src/$2.ts',
  },
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  globalSetup: '<rootDir>/packages/testing/setup.mjs',
  globalTeardown: '<rootDir>/packages/testing/teardown.mjs',
  maxWorkers: 2,
  // Modules of files that have been run stay in the memory of a worker, until it collects garbage most of the time.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000,
  coverageProvider: 'babel',
  collectCoverageFrom: [
    '{packages/{kit,people},services/*,gateway}/src/**/*.ts',
    '!**/{gen,generated}/**',
    '!services/polls-and-widgets/src/widget-script/page/**',
    '!**/*.test.ts',
    '!**/{main,migrate}.ts',
  ],
}
