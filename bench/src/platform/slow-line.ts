import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that delays everything by `delayMs` in both directions, so that a round trip takes twice as long. */
export async function slowLine(to: { host: string; port: number }, delayMs: number) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('data', (bytes) => setTimeout(() => into.writable && into.write(bytes), delayMs))
      from.on('close', () => {
        sockets.delete(from)
        setTimeout(() => into.destroy(), delayMs)
      })
      from.on('error', () => from.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
