import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runningServer } from './cluster.mjs'

/** The guard of a killed program stops the server by itself, unless it was killed as well. */
const graceMs = 2000
const stopMs = 15_000

/** Ends the server that a killed program left in `dataDir`, so that a new one can start there. Only the holder of the folder's lock may call it. */
export async function endLeftoverServer(dataDir) {
  const pidFile = join(dataDir, 'postmaster.pid')
  const server = await serverOf(dataDir, pidFile)
  if (server && !(await isGone(server.pid, graceMs)) && (await listens(server.port))) {
    process.kill(server.pid, 'SIGINT')
    if (!(await isGone(server.pid, stopMs))) throw new Error(`PostgreSQL of an earlier start (process ${server.pid}) does not stop.`)
  }
  // The file is stale. Its pid may have been reused, and PostgreSQL would take that process for a running server.
  rmSync(pidFile, { force: true })
}

/** A starting server has created the file but not written it; one that was killed at that moment never will. */
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

/** Whether a process `pid` exists, whoever its owner is. */
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
