/** Installs the packages if necessary. Runs on any version of Node, without packages. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const oldestNode = 20
const root = fileURLToPath(new URL('../..', import.meta.url))

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  stop(`Caseway needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}: https://nodejs.org has a newer one.`)
}
if (!isInstalled()) {
  console.log('Installing packages (npm ci) ...')
  // Node itself is a development dependency, which npm omits if NODE_ENV is `production`.
  const { status } = npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')
  if (status !== 0) stop('The packages could not be installed; npm says why above.')
}

/** npm writes this file last, so an interrupted installation has none. */
function isInstalled() {
  const installed = `${root}/node_modules/.package-lock.json`
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}/package-lock.json`).mtimeMs
}

/** The npm that runs this script; otherwise the one in PATH. */
function npm(...args) {
  const running = process.env.npm_execpath
  const options = { cwd: root, stdio: 'inherit' }
  return running ? spawnSync(process.execPath, [running, ...args], options) : spawnSync('npm', args, options)
}

function stop(sentence) {
  console.error(sentence)
  process.exit(1)
}
