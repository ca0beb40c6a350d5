import { cpus } from 'node:os'
import { Stryker } from '@stryker-mutator/core'

/**
 * Mutates `files` by StrykerJS, runs `suites` (globs), and writes what survives to the console. It works on a copy of the project.
 * @returns how many mutants were killed and how many survived
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
    // It would read tsconfig.json with an interface of TypeScript that version 7 does not have; swc reads none.
    tsconfigFile: 'none.json',
    timeoutMS: 20_000,
    // Jest frees no ES module: a process that is used for all of them runs out of memory.
    maxTestRunnerReuse: 50,
    allowEmpty: true,
    logLevel: 'warn',
  }).runMutationTest()
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length
  return { killed: count('Killed', 'Timeout'), survived: count('Survived', 'NoCoverage') }
}
