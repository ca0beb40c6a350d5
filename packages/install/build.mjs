/** Builds what has changed; called by each command that runs built code. */
import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const oldestNode = 24
/** A build that has nothing to do takes less. */
const noticeMs = 2_000

/**
 * Runs the build. If it takes long, says so on stderr. If it fails, ends the process with one sentence below the build's output; if a signal ends it, silently.
 * @param start the command that the user should have used
 * @param tasks further tasks of turbo.json, for instance `bundle`
 */
export async function build(start, ...tasks) {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    fail(`Caseway runs on the Node that its packages bring: start it with \`${start}\`.`)
  }
  const { code, output } = await runTurbo(tasks)
  if (code !== 0) fail(`${output}\nCaseway could not be built; the reason is above.`)
}

function runTurbo(tasks) {
  const bin = `${root}/node_modules/.bin`
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, TURBO_TELEMETRY_DISABLED: '1' }
  const turbo = spawn(`${bin}/turbo`, ['run', 'generate', 'build', ...tasks, '--output-logs=errors-only'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => {
    turbo.kill('SIGTERM')
    process.exit(0)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.once(signal, stop)
  const notice = setTimeout(() => console.error('Building what has changed; the first time this can take some minutes ...'), noticeMs)
  let output = ''
  for (const stream of [turbo.stdout, turbo.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    turbo.on('error', (error) => resolve({ code: 1, output: error.message }))
    turbo.on('close', (code) => {
      clearTimeout(notice)
      for (const signal of signals) process.off(signal, stop)
      resolve({ code, output })
    })
  })
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
