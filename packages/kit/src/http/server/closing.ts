import type { Socket } from 'node:net'
import { setImmediate as checkPhase, setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { scoped } from './scoped.js'

/** For how long a connection without a request is kept while the server closes: its first request may be on its way. */
const graceMs = 100

/** For how long at most connections are accepted that have waited for it when the server began to close. */
const acceptMs = 1_000

/**
 * A server that closes ends its idle connections and waits for the others: also for those that were opened in advance and on which no
 * request has come, and for those that stay open after the answer that they had to wait for. The first are ended here, after a moment in
 * which the request of a client that has just connected still arrives; the others get their answer as the last one (RFC 9112 9.6), and are
 * ended after it when it had begun as if more could follow.
 * @param ready while it says no, every answer is the last one of its connection: a client with frequent requests has gone before the server closes,
 * when a request that is on its way would be lost
 */
export function endConnectionsOnClose(app: FastifyInstance, ready: () => boolean): void {
  const unused = new Set<Socket>()
  let accepted = 0
  let closing = false
  const endUnlessUsed = async (socket: Socket) => {
    await pause(graceMs)
    // Of a busy process, requests may be there that it has not read yet.
    await pollPhase()
    if (unused.has(socket)) socket.destroy()
  }
  app.server.on('connection', (socket) => {
    accepted++
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
    if (closing) void endUnlessUsed(socket)
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('onResponse', ({ socket }, _reply, done) => {
    if (closing) socket.destroySoon()
    done()
  })
  app.addHook('preClose', async () => {
    closing = true
    unused.forEach(endUnlessUsed)
  })
  // Closing the port resets who has connected and waits to be accepted. In each poll phase one connection is accepted.
  const acceptWaiting = async () => {
    const deadline = performance.now() + acceptMs
    let before: number
    do {
      before = accepted
      await pollPhase()
    } while (accepted > before && performance.now() < deadline)
  }
  // The hooks of a plugin run after those of the server.
  app.register(scoped('closing', async (plugin) => void plugin.addHook('preClose', acceptWaiting)))
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing || !ready()) reply.header('connection', 'close')
    done()
  })
}

/** Resolves after the event loop has looked at every socket once more, which is between two check phases (libuv, Design overview). */
async function pollPhase(): Promise<void> {
  await checkPhase()
  await checkPhase()
}
