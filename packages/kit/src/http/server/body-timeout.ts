import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { answerSocketError, endIdleSocket } from './socket-errors.js'

/**
 * Answers 408 where the body of a request has not arrived `timeoutMs` milliseconds after its head. Node's `requestTimeout` would apply to every route; here a
 * `longLived` one has no limit until it has answered, when the rest of its body gets the same time. A connection that is idle for `silenceTimeoutMs` during a
 * request is answered with 408 on any route.
 */
export function limitBodyTime(app: FastifyInstance, timeoutMs: number): void {
  // Without a listener Node closes the connection without an answer. The event also occurs when `keepAliveTimeout` has passed.
  app.server.on('timeout', endIdleSocket)
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
