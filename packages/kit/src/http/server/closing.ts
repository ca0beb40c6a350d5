import type { Socket } from 'node:net'
import { setImmediate as checkPhase, setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { scoped } from './scoped.js'

/** How long the closing server keeps a connection that has had no request yet, in milliseconds: the first one may be on its way. */
const graceMs = 100

/** How long the closing server at most accepts connections of the backlog, in milliseconds. */
const acceptMs = 1_000

/**
 * Node's `close` ends idle connections and waits for all others. This also ends, while the server closes, connections on which no request has ever come, after
 * `graceMs`, and those with a running request, after its answer, which carries `Connection: close` (RFC 9112 9.6) unless its head was sent before.
 * @param ready while it returns false, every answer carries `Connection: close`, so that clients with frequent requests have left before the server closes and
 * none of their requests is lost
 */
export function endConnectionsOnClose(app: FastifyInstance, ready: () => boolean): void {
  const unused = new Set<Socket>()
  let accepted = 0
  let closing = false
  const endUnlessUsed = async (socket: Socket) => {
    await pause(graceMs)
    // A busy process may not have read requests that have already arrived.
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
  // Closing the port resets connections in the backlog, so they are accepted first: one in each poll phase.
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

/** Resolves after the event loop has polled all sockets once more, which happens between two check phases (libuv, Design overview). */
async function pollPhase(): Promise<void> {
  await checkPhase()
  await checkPhase()
}
