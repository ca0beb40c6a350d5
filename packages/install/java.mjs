import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const readyTimeoutMs = 30_000
const stopTimeoutMs = 8_000
const packageOf = { java: 'Java 17 (openjdk-17-jre-headless)', mvn: 'Maven (maven)' }

/**
 * Fetches the jars of a `pom.xml` by Maven, once for all servers of this checkout, and returns their folder.
 * @throws Error with one sentence when Maven is missing
 */
export async function jarsOf(pom) {
  const libs = fileURLToPath(new URL(`../../node_modules/.cache/${basename(dirname(pom))}`, import.meta.url))
  if (existsSync(libs)) return libs
  mkdirSync(dirname(libs), { recursive: true })
  const fetched = mkdtempSync(`${libs}-`)
  try {
    await run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${fetched}`, '-DincludeScope=runtime'])
    // mkdtemp creates the folder for its owner only.
    chmodSync(fetched, 0o755)
    // Renamed only when complete.
    renameSync(fetched, libs)
  } catch (error) {
    // Another process may have fetched them meanwhile.
    if (!existsSync(libs)) throw error
  } finally {
    rmSync(fetched, { recursive: true, force: true })
  }
  return libs
}

/**
 * Runs `java` or `mvn` to its end, and returns its standard output.
 * @throws Error with one sentence when it is missing or fails
 */
export async function run(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (complained += chunk))
  const [code] = await once(child, 'close').catch((error) => {
    throw error.code === 'ENOENT' ? new Error(`${packageOf[command]} is needed: install it.`) : error
  })
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${(complained || said).trim().split('\n').at(-1)}`)
  return said
}

/** Starts a Java server with its output in `log`. Ctrl-C in a terminal does not reach it. */
export function spawnServer(args, { log }) {
  const out = openSync(log, 'w')
  const server = spawn('java', ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...args], { stdio: ['ignore', out, out], detached: true })
  const stopped = once(server, 'exit')
  return {
    pid: server.pid,
    stopped,
    /** Resolves when the port accepts connections. @throws Error if it does not within 30 s, or the server has ended */
    async ready(name, port) {
      const until = Date.now() + readyTimeoutMs
      while (Date.now() < until && server.exitCode === null) {
        if (await answers(port)) return
        await pause(100)
      }
      server.kill('SIGKILL')
      throw new Error(`${name} did not start; ${log} has more.`)
    },
    async stop() {
      server.kill('SIGTERM')
      const hurry = setTimeout(() => server.kill('SIGKILL'), stopTimeoutMs)
      await stopped
      clearTimeout(hurry)
    },
  }
}

function answers(port) {
  const socket = connect({ host: '127.0.0.1', port })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
