import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as the service received it. */
export interface Seen {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A real HTTP server in place of a service. */
export interface FakeService {
  url: string
  /** Every request that reached it. */
  seen: Seen[]
  /** The number of accepted connections. */
  connections: number
  /** Sets the handler of `path`. Every other path is answered with the request that was received. */
  on(path: string, handler: Handler): void
  stop(): Promise<void>
}

export async function fakeService(): Promise<FakeService> {
  const handlers = new Map<string, Handler>()
  const service = {
    seen: [] as Seen[],
    connections: 0,
    on: (path: string, handler: Handler) => void handlers.set(path, handler),
  }
  const echo: Handler = async (request, response) => {
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body: await text(request) }
    service.seen.push(seen)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(seen))
  }
  const server = createServer(async (request, response) => {
    const handler = handlers.get((request.url ?? '').replace(/\?.*$/, '')) ?? echo
    // The body of an aborted request rejects, and the request is not recorded.
    await Promise.resolve(handler(request, response)).catch(() => undefined)
  })
  server.on('connection', () => service.connections++)
  return Object.assign(service, await listen(server))
}

/** Listens until `stop`, which ends every connection. */
async function listen(server: Server): Promise<{ url: string; stop(): Promise<void> }> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
