import type { FastifyInstance } from 'fastify'

/**
 * Removes `Content-Length` from a 304 to HEAD: it may only be that of the 200 (RFC 9110 8.6), but Fastify sets it to 0 for every HEAD without content. Fastify
 * does that in an `onSend` hook of the route, so this hook is added behind it.
 */
export function omitLengthOf304(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return
    route.onSend = [route.onSend ?? []].flat()
    route.onSend.push((_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length')
      done(null, payload)
    })
  })
}
