import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * A server that closes ends its idle connections and waits for the others: also for those that were opened in advance and on which no
 * request has come, and for those that stay open after the answer that they had to wait for. The first are ended here, the others get
 * their answer as the last one (RFC 9112 9.6), and are ended after it when it had begun as if more could follow.
 * @param ready while it says no, every answer is the last one of its connection: a client with frequent requests has gone before the server closes,
 * when a request that is on its way would be lost
 */
export function endConnectionsOnClose(app: FastifyInstance, ready: () => boolean): void {
  const unused = new Set<Socket>()
  let closing = false
  app.server.on('connection', (socket) => {
    if (closing) return void socket.destroy()
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('onResponse', ({ socket }, _reply, done) => {
    if (closing) socket.destroySoon()
    done()
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of unused) socket.destroy()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing || !ready()) reply.header('connection', 'close')
    done()
  })
}
