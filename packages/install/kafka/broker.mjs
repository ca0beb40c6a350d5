import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.mjs'
import { jarsOf, run, spawnServer } from '../java.mjs'

const pom = fileURLToPath(new URL('pom.xml', import.meta.url))
const settings = readFileSync(new URL('server.properties', import.meta.url), 'utf8')

/**
 * Starts a real Apache Kafka on the loopback interface, from Maven artefacts, with its data in `home`. A broker that a killed program has left there
 * is ended first. Clients connect with TLS as user `caseway` (SASL, SCRAM-SHA-512).
 * @param certificate files of a certificate for 127.0.0.1
 * @param password of `caseway`; set at the first start in `home`
 * @throws Error with one sentence when Java or Maven is missing, or the broker does not start
 */
export async function startBroker({ home, port, certificate, password }) {
  mkdirSync(home, { recursive: true })
  const properties = join(home, 'server.properties')
  await endLeftover(properties)
  const libs = await jarsOf(pom)
  const ports = port ? [port, await freePort()] : [await freePort(), await freePort()]
  writePrivately(keystoreOf(home), `${readFileSync(certificate.keyFile, 'utf8')}${readFileSync(certificate.certFile, 'utf8')}`)
  writePrivately(properties, `${settings}${addresses(home, ...ports)}${encryption(home, certificate)}${signIn(password)}`)
  if (!existsSync(join(dataOf(home), 'meta.properties'))) await format(libs, properties, password)
  const broker = spawnServer([...jvm, '-cp', join(libs, '*'), 'kafka.Kafka', properties], { log: join(home, 'broker.log') })
  writeFileSync(`${properties}.pid`, String(broker.pid))
  await broker.ready('Kafka', ports[0])
  const { pid, stopped, stop } = broker
  const security = { caFile: certificate.caFile, username, password }
  return { address: `127.0.0.1:${ports[0]}`, port: ports[0], pid, security, stopped, stop }
}

const jvm = ['-Xms128m', '-Xmx512m', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']

const username = 'caseway'
const mechanism = 'SCRAM-SHA-512'

/** The data folder, formatted with the credentials of `caseway`. */
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

/** The broker connects to itself as a client. */
const signIn = (password) => `
listener.name.clients.${mechanism.toLowerCase()}.sasl.jaas.config=\\
  org.apache.kafka.common.security.scram.ScramLoginModule required username="${username}" password="${password}";
`

/** Writes a file that only its owner can read. */
function writePrivately(path, content) {
  rmSync(path, { force: true })
  writeFileSync(path, content, { mode: 0o600 })
}

async function format(libs, properties, password) {
  const tool = ['-Xmx256m', '-cp', join(libs, '*'), 'kafka.tools.StorageTool']
  const id = (await run('java', [...tool, 'random-uuid'])).trim().split('\n').at(-1)
  const user = `${mechanism}=[name=${username},password=${password}]`
  await run('java', [...tool, 'format', '-t', id, '--standalone', '--add-scram', user, '-c', properties])
}

/** Ends the process of the pid file, if its command line contains these settings. */
async function endLeftover(properties) {
  const pidFile = `${properties}.pid`
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0
  const line = pid && existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
  if (!line.includes(properties)) return
  process.kill(pid, 'SIGKILL')
  while (existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '') await pause(50)
}
