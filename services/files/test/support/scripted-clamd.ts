import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { SocketAddress } from '@caseway/kit/config'

/** The answer to a scan: `content` returns the bytes that have arrived, and `whole` is true when these are all. */
export type Script = (socket: Socket, content: () => Buffer, whole: boolean) => unknown

/** Sends `text` when the whole file has arrived, and closes the connection. */
export const says =
  (text: string): Script =>
  (socket, _content, whole) =>
    void (whole && socket.end(text))

export const ok = says('stream: OK\0')

/** A server for the command INSTREAM (clamd(8)) whose answers and faults the test scripts. */
export interface ScriptedClamd {
  readonly address: string
  readonly socketAddress: SocketAddress
  script: Script
  /** The open connections. */
  readonly open: ReadonlySet<Socket>
  start(): Promise<void>
  /** Closes every connection. */
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

/** Parses a file of chunks that are preceded by their lengths; an empty chunk ends it. */
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

    /** @returns whether the file is complete */
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
