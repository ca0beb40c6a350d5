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

/**
 * Runs the test that has to fail under a mutation.
 * @returns `killed` when it failed, `survived` when it passed, else why it was not run
 */
export async function outcomeOf(project, { file, text, with: replacement, test, killedBy }) {
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
  await node(project, [...args, '--runTestsByPath', test, '-t', escaped(killedBy)], {
    MUTATION: JSON.stringify({ file, text, with: replacement }),
  })
  if (!existsSync(report)) return 'not run: Jest gave no report'
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  if (statuses.includes('failed')) return 'killed'
  if (statuses.includes('passed')) return 'survived'
  return `not run: ${testResults.map(({ message }) => message.trim().split('\n', 2).join(' ')).join() || 'there is no such test'}`
}
