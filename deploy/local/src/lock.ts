import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { isAlive } from '@caseway/install/postgres/leftover.mjs'
import { codeOf, Problem } from './problem.js'

interface Holder {
  pid: number
  /** Where the holder answers with its token, so that another program with its number is not taken for it. */
  port: number
  token: string
}

const answerTimeoutMs = 2000

/**
 * One platform per folder. A lock whose holder was killed is taken over.
 * @returns what gives it back
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

/** A link appears with its content, a file that is written appears empty. */
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
  // Moved before it is removed: of two that come here together, one would remove the other's new lock.
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
