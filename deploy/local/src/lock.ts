import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { isAlive } from '@caseway/install/postgres/leftover.mjs'
import { codeOf, Problem } from './problem.js'

interface Holder {
  pid: number
  /** The holder answers with its token on this port, so that another process with a reused pid is not mistaken for it. */
  port: number
  token: string
}

const answerTimeoutMs = 2000

/**
 * Acquires the lock of a folder, so that one platform runs there at a time. The lock of a killed holder is taken over.
 * @returns a function that releases the lock
 * @throws Problem if another platform is running
 */
export async function acquireLock(path: string): Promise<() => void> {
  const token = randomUUID()
  const server = createServer((socket) => socket.on('error', () => undefined).end(token))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const own: Holder = { pid: process.pid, port: (server.address() as AddressInfo).port, token }
  try {
    while (!write(path, own)) await removeStale(path)
  } catch (error) {
    server.close()
    throw error
  }
  return () => {
    rmSync(path, { force: true })
    server.close()
  }
}

/**
 * Creates the lock with its content atomically, by a hard link: a file that is written directly is empty at first. @returns false if the lock exists
 */
function write(path: string, own: Holder): boolean {
  const written = `${path}.${process.pid}`
  writeFileSync(written, JSON.stringify(own), { mode: 0o600 })
  try {
    linkSync(written, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(written)
  }
}

async function removeStale(path: string): Promise<void> {
  const holder = read(path)
  if (holder && (await isRunning(holder))) throw new Problem(`Caseway is already running from this folder (process ${holder.pid}).`)
  // Renamed before it is removed: of two concurrent processes one would otherwise remove the other's new lock.
  const stale = `${path}.${process.pid}`
  try {
    renameSync(path, stale)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (read(stale)?.token !== holder?.token) renameSync(stale, path)
  else rmSync(stale)
}

function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function isRunning({ pid, port, token }: Holder): Promise<boolean> {
  if (!isAlive(pid)) return false
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ host: '127.0.0.1', port, timeout: answerTimeoutMs })
    socket.on('data', (chunk) => (received += chunk))
    socket.on('timeout', () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received === token))
  })
}
