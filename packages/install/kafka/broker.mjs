import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.mjs'

const pom = fileURLToPath(new URL('pom.xml', import.meta.url))
const settings = readFileSync(new URL('server.properties', import.meta.url), 'utf8')
const readyTimeoutMs = 30_000
const stopTimeoutMs = 8_000

/** Fetched once for all brokers of this project. */
const libs = fileURLToPath(new URL('../../../node_modules/.cache/kafka', import.meta.url))

/**
 * A real Apache Kafka on the loopback interface, from Maven's artefacts, with its data in `home`. One that a killed program left there
 * is ended first. Clients connect with TLS and sign in as `caseway` (SASL, SCRAM-SHA-512).
 * @param certificate files of a certificate for 127.0.0.1
 * @param password of `caseway`, from the first start in `home` on
 * @throws Error with one sentence when Java or Maven are missing, or the broker does not start
 */
export async function startBroker({ home, port, certificate, password }) {
  mkdirSync(home, { recursive: true })
  const properties = join(home, 'server.properties')
  await endLeftover(properties)
  await fetchJars()
  const ports = port ? [port, await freePort()] : [await freePort(), await freePort()]
  writePrivately(keystoreOf(home), `${readFileSync(certificate.keyFile, 'utf8')}${readFileSync(certificate.certFile, 'utf8')}`)
  writePrivately(properties, `${settings}${addresses(home, ...ports)}${encryption(home, certificate)}${signIn(password)}`)
  if (!existsSync(join(dataOf(home), 'meta.properties'))) await format(properties, password)
  const log = join(home, 'broker.log')
  const out = openSync(log, 'w')
  const broker = spawn('java', [...jvm, '-cp', join(libs, '*'), 'kafka.Kafka', properties], {
    stdio: ['ignore', out, out],
    detached: true,
  })
  const ended = once(broker, 'exit')
  writeFileSync(`${properties}.pid`, String(broker.pid))
  await ready(broker, ports[0], log)
  return {
    address: `127.0.0.1:${ports[0]}`,
    port: ports[0],
    pid: broker.pid,
    security: { caFile: certificate.caFile, username, password },
    stopped: ended,
    async stop() {
      broker.kill('SIGTERM')
      const hurry = setTimeout(() => broker.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(hurry)
    },
  }
}

const jvm = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']

const username = 'caseway'
const mechanism = 'SCRAM-SHA-512'

/** Formatted with the password of `caseway`. */
const dataOf = (home) => join(home, 'data-scram')
const keystoreOf = (home) => join(home, 'keystore.pem')

const addresses = (home, port, controller) => `
listeners=CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
advertised.listeners=CLIENTS://127.0.0.1:${port}
controller.quorum.bootstrap.servers=127.0.0.1:${controller}
log.dirs=${dataOf(home)}
`

const encryption = (home, { caFile }) => `
ssl.keystore.type=PEM
ssl.keystore.location=${keystoreOf(home)}
ssl.truststore.type=PEM
ssl.truststore.location=${caFile}
`

/** The broker is a client of itself. */
const signIn = (password) => `
listener.name.clients.${mechanism.toLowerCase()}.sasl.jaas.config=\\
  org.apache.kafka.common.security.scram.ScramLoginModule required username="${username}" password="${password}";
`

/** For its owner only. */
function writePrivately(path, content) {
  rmSync(path, { force: true })
  writeFileSync(path, content, { mode: 0o600 })
}

/** Under their name only when they are complete. */
async function fetchJars() {
  if (existsSync(libs)) return
  const unfinished = `${libs}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  await run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`, '-DincludeScope=runtime'])
  renameSync(unfinished, libs)
}

async function format(properties, password) {
  const tool = ['-Xmx256m', '-cp', join(libs, '*'), 'kafka.tools.StorageTool']
  const id = (await run('java', [...tool, 'random-uuid'])).trim().split('\n').at(-1)
  const user = `${mechanism}=[name=${username},password=${password}]`
  await run('java', [...tool, 'format', '-t', id, '--standalone', '--add-scram', user, '-c', properties])
}

/** The process whose command line names these settings. */
async function endLeftover(properties) {
  const pidFile = `${properties}.pid`
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0
  const line = pid && existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
  if (!line.includes(properties)) return
  process.kill(pid, 'SIGKILL')
  while (existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '') await pause(50)
}

async function run(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (complained += chunk))
  const [code] = await once(child, 'close').catch((error) => {
    throw error.code === 'ENOENT'
      ? new Error(`A local Kafka needs ${packageOf[command]}: install it, or name a broker in KAFKA_BROKERS.`)
      : error
  })
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${(complained || said).trim().split('\n').at(-1)}`)
  return said
}

const packageOf = { java: 'Java 17 (openjdk-17-jre-headless)', mvn: 'Maven (maven)' }

async function ready(broker, port, log) {
  const until = Date.now() + readyTimeoutMs
  while (Date.now() < until) {
    if (broker.exitCode !== null) break
    if (await answers(port)) return
    await pause(100)
  }
  broker.kill('SIGKILL')
  throw new Error(`Kafka did not start; ${log} has more.`)
}

function answers(port) {
  const socket = connect({ host: '127.0.0.1', port })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
