/** `node with-node.mjs script …` runs the script with the Node that is installed as a package. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const neededNode = 24
const [script, ...args] = process.argv.slice(2)

if (Number(process.versions.node.split('.')[0]) >= neededNode) {
  process.argv = [process.argv[0], resolve(script), ...args]
  await import(pathToFileURL(resolve(script)).href)
} else {
  runWith(fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url)))
}

function runWith(node) {
  const child = spawn(node, [script, ...args], { stdio: 'inherit' })
  // Ctrl-C in a terminal reaches the child as well, unlike a signal to this process, so the child may receive it twice.
  const pass = (signal) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, pass)
  child.on('error', (error) => {
    console.error(`Node ${neededNode} could not be started (${error.message}). Remove node_modules and try again.`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    for (const signal of signals) process.off(signal, pass)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
}
