import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const node = (project, args, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...args], {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    })
    child.once('error', reject)
    child.once('close', resolve)
  })

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Runs one test, with a mutation if given. @returns `failed`, `passed`, or the reason why it did not run */
async function run(project, { test, name, mutation }) {
  const report = join(tmpdir(), `caseway-mutation-${process.pid}.json`)
  const args = [
    join(project, 'node_modules/jest/bin/jest.js'),
    '-c',
    'jest.mutation.config.mjs',
    '--json',
    `--outputFile=${report}`,
    '--forceExit',
  ]
  rmSync(report, { force: true })
  await node(project, [...args, '--runTestsByPath', test, '-t', escaped(name)], mutation && { MUTATION: JSON.stringify(mutation) })
  if (!existsSync(report)) return 'not run: Jest gave no report'
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  for (const status of ['failed', 'passed']) if (statuses.includes(status)) return status
  return `not run: ${testResults.map(({ message }) => message.trim().split('\n', 2).join(' ')).join() || 'there is no such test'}`
}

const unmutated = new Map()

/** Whether a test passes without a mutation; cached, because several mutations may name the same test. */
function passes(project, test, name) {
  const key = JSON.stringify([test, name])
  if (!unmutated.has(key)) unmutated.set(key, run(project, { test, name }))
  return unmutated.get(key).then((outcome) => outcome === 'passed')
}

/**
 * Runs a test with a mutation, under which it has to fail, and without.
 * @returns `killed` if it failed only with the mutation, `survived` if it passed with it, otherwise the reason why the result is invalid
 */
export async function outcomeOf(project, { file, text, with: replacement, test, killedBy }) {
  const outcome = await run(project, { test, name: killedBy, mutation: { file, text, with: replacement } })
  if (outcome === 'passed') return 'survived'
  if (outcome !== 'failed') return outcome
  return (await passes(project, test, killedBy)) ? 'killed' : 'not run: the test fails without the mutation, too'
}
