import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from '@caseway/install/free-port.mjs'
import { codeOf } from './problem.js'

/** Where the platform listens: on this machine only. */
export const host = '127.0.0.1'

/** A port on which no other program listens until it is released. Whoever connects meanwhile is hung up on. */
export interface HeldPort {
  readonly port: number
  release(): Promise<void>
}

/** @throws Error of listen(2) where it cannot be had */
export async function holdPort(port: number): Promise<HeldPort> {
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

/** Any that is free. */
export async function holdFreePort(): Promise<HeldPort> {
  for (;;) {
    try {
      return await holdPort(await freePort())
    } catch (error) {
      // Somebody was faster.
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
  }
}
