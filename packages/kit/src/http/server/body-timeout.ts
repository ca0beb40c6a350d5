import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { answerSocketError } from './socket-errors.js'

/**
 * Bounds the time in which the body of a request must arrive, in milliseconds since its head. Node's own `requestTimeout` is the same for every
 * request of a server; here a `longLived` route takes bodies for as long as they need, while the connection does not fall silent: then it is answered in the same way.
 * Once it is answered, the rest of such a body has the same time as any other.
 */
export function limitBodyTime(app: FastifyInstance, timeoutMs: number): void {
  // Without a listener Node hangs up without an answer.
  app.server.on('timeout', (socket) => answerSocketError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket))
  const bound = (raw: IncomingMessage) => {
    const timer = setTimeout(() => {
      if (!raw.complete) answerSocketError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, raw.socket)
    }, timeoutMs)
    raw.once('close', () => clearTimeout(timer))
  }
  app.addHook('onRequest', ({ raw, headers, routeOptions }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasBody && !routeOptions.config.longLived) bound(raw)
    done()
  })
  app.addHook('onResponse', ({ raw, routeOptions }, _reply, done) => {
    if (routeOptions.config.longLived && !raw.complete && !raw.destroyed) bound(raw)
    done()
  })
}
