import type { FastifyInstance } from 'fastify'

/** Sends `Strict-Transport-Security` (RFC 6797 6.1) with this max-age; 0 omits the header. */
export function requireHttps(app: FastifyInstance, seconds: number): void {
  if (seconds === 0) return
  const policy = `max-age=${seconds}`
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', policy)
    done()
  })
}
