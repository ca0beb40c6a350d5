/**
 * Runs between a program and its PostgreSQL, in a session of its own: Ctrl-C in a terminal does not reach the server before the program has stopped
 * using it, and the server ends when the program does, however that ends.
 */
import { spawn } from 'node:child_process'
import { openSync, rmSync } from 'node:fs'

const fastShutdownMs = 8000
const { file, args, account, env, cwd, logFile, removeAfter } = JSON.parse(process.argv[2])

const log = openSync(logFile, 'a', 0o600)
const server = spawn(file, args, { ...account, env, cwd, stdio: ['ignore', log, log] })

const stop = () => {
  // SIGINT requests PostgreSQL's fast shutdown, SIGQUIT an immediate one, after which the next start recovers.
  server.kill('SIGINT')
  setTimeout(() => server.kill('SIGQUIT'), fastShutdownMs).unref()
}
const finish = (code) => {
  if (removeAfter) rmSync(removeAfter, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}

process.stdin.on('close', stop).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
server.on('error', () => finish(1))
server.on('exit', (code) => finish(code ?? 1))
