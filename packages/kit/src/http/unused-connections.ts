import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * A server that closes ends its idle connections and waits for the others: also for those that were opened in advance and on which no
 * request has come. These are ended here.
 */
export function endUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}
