import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { SocketAddress } from '@caseway/kit/config'

/** What becomes of a scan: `content` gives what has arrived of the file, and `whole` says whether that is all of it. */
export type Script = (socket: Socket, content: () => Buffer, whole: boolean) => unknown

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
      const file = arriving()
      open.add(socket)
      socket.on('close', () => open.delete(socket)).on('error', () => undefined)
      socket.on('data', (data) => {
        const whole = file.add(data)
        clamd.script(socket, file.content, whole)
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

/** A file that arrives in chunks: each has its length before it, and the last is empty. */
function arriving() {
  const parts: Buffer[] = []
  let begun = false
  let rest = Buffer.alloc(0)
  let missing = 0
  let whole = false

  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }
  return {
    content: () => Buffer.concat(parts),

    /** @returns whether that was the end */
    add(data: Buffer): boolean {
      rest = Buffer.concat([rest, data])
      if (!begun && rest.length >= command.length) {
        begun = true
        if (take(command.length).toString('latin1') !== command) throw new Error('No INSTREAM.')
      }
      while (begun && !whole && rest.length >= (missing > 0 ? 1 : 4)) {
        if (missing > 0) {
          const part = take(missing)
          missing -= part.length
          parts.push(part)
        } else {
          missing = take(4).readUInt32BE()
          whole = missing === 0
        }
      }
      return whole
    },
  }
}
