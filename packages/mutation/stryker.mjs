import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { matchesGlob } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

/** What is tested within seconds: pure rules, tokens, and `kit/http`, whose tests have a database of their own. */
const mutated = [
  'packages/kit/src/{caller,config,errors,tokens}/*.ts',
  'packages/kit/src/{http,resource}/**/*.ts',
  'packages/kit/src/grpc/status.ts',
  'packages/kit/src/events/kafka/watchdog.ts',
  'packages/kit/src/lifecycle/lifecycle.ts',
  'services/auth/src/keys/{secrets,signing-key}.ts',
  'services/auth/src/roles/right.ts',
  'services/auth/src/tokens/{refresh-token,token-request}.ts',
  'services/*/src/counters/issue-counter.ts',
  'services/*/src/feed/{event-stream,feed}.ts',
  'services/*/src/issues/issue.ts',
]
const left = ['**/*.test.ts', '**/index.ts']

const isMutated = (file) => mutated.some((glob) => matchesGlob(file, glob)) && !left.some((glob) => matchesGlob(file, glob))

/** The files of the project that StrykerJS mutates. */
export const mutatedFiles = (project) =>
  execFileSync('git', ['ls-files', '*.ts'], { cwd: project, encoding: 'utf8' }).split('\n').filter(isMutated)

/**
 * Mutates `files` by StrykerJS, and writes what survives to the console and `.stryker/mutation.html`. It works on a copy of the project.
 * @returns how many mutants were killed and how many survived
 */
export async function mutate(files) {
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    jest: { projectType: 'custom', configFile: 'jest.mutation.config.mjs', enableFindRelatedTests: true },
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: Math.max(1, Math.floor(cpus().length / 2)),
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
    htmlReporter: { fileName: '.stryker/mutation.html' },
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
