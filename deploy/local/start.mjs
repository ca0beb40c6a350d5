/** `npm start`: builds what has changed, then hands over to what was built. `--apart` runs each service as a process of its own. */
import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

if (Number(process.versions.node.split('.')[0]) < 24) fail('Caseway runs on the Node that its packages bring: start it with `npm start`.')

const { code, output } = await build()
if (code !== 0) fail(`${output}\nCaseway could not be built; the reason is above.`)
const { main } = await import(process.argv.includes('--apart') ? './dist/apart/main.js' : './dist/main.js')
await main()

function build() {
  const bin = `${root}/node_modules/.bin`
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, TURBO_TELEMETRY_DISABLED: '1' }
  const turbo = spawn(`${bin}/turbo`, ['run', 'generate', 'build', '--output-logs=errors-only'], {
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
  let output = ''
  for (const stream of [turbo.stdout, turbo.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    turbo.on('error', (error) => resolve({ code: 1, output: error.message }))
    turbo.on('close', (code) => {
      for (const signal of signals) process.off(signal, stop)
      resolve({ code, output })
    })
  })
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
