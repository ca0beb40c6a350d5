import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runningServer } from './cluster.mjs'

/** The guard of a killed program stops the server by itself, unless it was killed too. */
const graceMs = 2000
const stopMs = 15_000

/**
 * Ends the server that a killed program left in `dataDir`, so that the next one starts there. To be called by the holder of the
 * folder: of two, one would end the other's.
 */
export async function endLeftoverServer(dataDir) {
  const pidFile = join(dataDir, 'postmaster.pid')
  const server = await serverOf(dataDir, pidFile)
  if (server && !(await isGone(server.pid, graceMs)) && (await listens(server.port))) {
    process.kill(server.pid, 'SIGINT')
    if (!(await isGone(server.pid, stopMs))) throw new Error(`PostgreSQL of an earlier start (process ${server.pid}) does not stop.`)
  }
  // It speaks of a server that is no more. Its number may have gone to another process, which PostgreSQL would take for itself.
  rmSync(pidFile, { force: true })
}

/** A server that is starting has created the file and not yet written it; one that was killed at that moment never writes it. */
async function serverOf(dataDir, pidFile) {
  for (const deadline = Date.now() + graceMs; existsSync(pidFile) && Date.now() < deadline; await pause(25)) {
    const server = runningServer(dataDir)
    if (server) return server
  }
}

async function isGone(pid, withinMs) {
  for (const deadline = Date.now() + withinMs; isAlive(pid); await pause(25)) {
    if (Date.now() > deadline) return false
  }
  return true
}

/** Whether there is a process `pid`, of whomever. */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (is) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', answer(true)).once('error', answer(false))
  })
