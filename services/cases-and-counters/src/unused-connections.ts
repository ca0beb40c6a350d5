import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A server that closes ends its idle connections and waits for the others: also for those that were opened in advance and on which no
 * request has come. Answers what ends these.
 */
export function unusedConnectionsOf(server: Server): () => void {
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return () => {
    for (const socket of unused) socket.destroy()
  }
}
