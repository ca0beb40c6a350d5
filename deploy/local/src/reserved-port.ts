import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from '@caseway/install/free-port.mjs'
import { codeOf } from './problem.js'

/** The platform listens on the loopback interface only. */
export const host = '127.0.0.1'

/** A port that is reserved until `release` by listening on it. Connections to it are closed. */
export interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/** @throws Error of listen(2) if the port is not available */
export async function reservePort(port: number): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy()).listen(port, host)
  await once(server, 'listening')
  return {
    port,
    async release() {
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reserves any free port. */
export async function reserveFreePort(): Promise<ReservedPort> {
  for (;;) {
    try {
      return await reservePort(await freePort())
    } catch (error) {
      // Another process has taken the port meanwhile.
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
  }
}
