import type { FastifyInstance } from 'fastify'

/**
 * A 304 says no length: one that is not that of the record would be wrong (RFC 9110 8.6). Of an answer without content to HEAD Fastify
 * says that it has 0 bytes, in a hook of the route, which is why this one stands behind it.
 */
export function leaveLengthUnsaid(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return
    route.onSend = [route.onSend ?? []].flat()
    route.onSend.push((_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length')
      done(null, payload)
    })
  })
}
