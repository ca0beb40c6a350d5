import type { FastifyInstance } from 'fastify'

/** RFC 6797 6.1: a browser reaches this host by https alone for `seconds`. Without any, nothing is said about it. */
export function requireHttps(app: FastifyInstance, seconds: number): void {
  if (seconds === 0) return
  const policy = `max-age=${seconds}`
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', policy)
    done()
  })
}
