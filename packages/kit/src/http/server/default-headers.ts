import type { FastifyInstance } from 'fastify'

/**
 * What every answer says unless its route says otherwise: it is not stored (RFC 9111 5.2.2.5), for it is made for one caller, and a
 * browser does not guess its type (Fetch Standard, `X-Content-Type-Options`).
 */
export const defaultHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const

/** Where an entity tag is to work: kept by the caller alone, who asks each time whether it still holds. */
export const revalidated = 'private, no-cache'

export function setDefaultHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(defaultHeaders)
    done()
  })
}
