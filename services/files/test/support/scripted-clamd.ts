import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { SocketAddress } from '@caseway/kit/config'

/** What becomes of a scan: `content` is what has arrived of the file, and `whole` says whether that is all of it. */
export type Script = (socket: Socket, content: Buffer, whole: boolean) => unknown

/** Says this of a file that has arrived whole, and closes the connection. */
export const says =
  (text: string): Script =>
  (socket, _content, whole) =>
    void (whole && socket.end(text))

export const ok = says('stream: OK\0')

/** A server that takes what INSTREAM sends (clamd(8)), and does what no clamd can be made to do at will. */
export interface ScriptedClamd {
  readonly address: string
  readonly socketAddress: SocketAddress
  script: Script
  /** Connections that are open. */
  readonly open: ReadonlySet<Socket>
  start(): Promise<void>
  /** Cuts every connection. */
  stop(): Promise<void>
}

/** @param path of a Unix socket; without one it listens on a port, which stays the same when it is started again */
export async function scriptedClamd(script: Script = ok, path?: string): Promise<ScriptedClamd> {
  const open = new Set<Socket>()
  const clamd = { script }
  let server: Server
  let port = 0

  const start = async () => {
    server = createServer((socket) => {
      let received = Buffer.alloc(0)
      open.add(socket)
      socket.on('close', () => open.delete(socket)).on('error', () => undefined)
      socket.on('data', (data) => {
        received = Buffer.concat([received, data])
        const { content, whole } = arrived(received)
        clamd.script(socket, content, whole)
      })
    })
    server.listen(path ? { path } : { host: '127.0.0.1', port })
    await once(server, 'listening')
    if (!path) ({ port } = server.address() as AddressInfo)
  }
  await start()

  return Object.assign(clamd, {
    ...{ start, open },
    address: path ?? `127.0.0.1:${port}`,
    socketAddress: path ? { path } : { host: '127.0.0.1', port },
    async stop() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  })
}

const command = 'zINSTREAM\0'

/** The chunks of a file so far: each has its length before it, and the last is empty. */
function arrived(received: Buffer): { content: Buffer; whole: boolean } {
  if (received.length >= command.length && received.toString('latin1', 0, command.length) !== command) throw new Error('No INSTREAM.')
  const chunks: Buffer[] = []
  let at = command.length
  while (at + 4 <= received.length) {
    const length = received.readUInt32BE(at)
    if (length === 0) return { content: Buffer.concat(chunks), whole: true }
    chunks.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return { content: Buffer.concat(chunks), whole: false }
}
