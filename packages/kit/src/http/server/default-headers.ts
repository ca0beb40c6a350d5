import type { FastifyInstance } from 'fastify'

/**
 * The default headers of every answer: caches must not store it (RFC 9111 5.2.2.5), because it is made for one caller, and browsers must not guess its type
 * (Fetch Standard, `X-Content-Type-Options`).
 */
export const defaultHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const

/** `Cache-Control` of answers with an entity tag: only the caller may store them, and must revalidate each time. */
export const revalidated = 'private, no-cache'

export function setDefaultHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(defaultHeaders)
    done()
  })
}
