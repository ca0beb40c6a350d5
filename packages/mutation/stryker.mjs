import { cpus } from 'node:os'
import { Stryker } from '@stryker-mutator/core'

/**
 * Mutates `files` by StrykerJS in a copy of the project, runs `suites` (globs), and prints the survivors.
 * @returns the numbers of killed and of surviving mutants
 */
export async function mutate({ files, suites }) {
  const testMatch = suites.map((glob) => `<rootDir>/${glob}`)
  const results = await new Stryker({
    mutate: files,
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    jest: { projectType: 'custom', configFile: 'jest.mutation.config.mjs', config: { testMatch }, enableFindRelatedTests: false },
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: Math.max(1, Math.floor(cpus().length / 2)),
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
    tempDirName: '.stryker/copy',
    ignorePatterns: ['.caseway', '.turbo', 'bench', 'coverage', 'dist', 'docs'],
    // StrykerJS would read tsconfig.json by an API that TypeScript 7 does not have; swc needs none.
    tsconfigFile: 'none.json',
    timeoutMS: 20_000,
    // Jest never frees ES modules, so a process that is reused for all mutants runs out of memory.
    maxTestRunnerReuse: 50,
    allowEmpty: true,
    logLevel: 'warn',
  }).runMutationTest()
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length
  return { killed: count('Killed', 'Timeout'), survived: count('Survived', 'NoCoverage') }
}
