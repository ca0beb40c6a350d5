import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../../errors/index.js'

/**
 * Accepts JSON bodies in UTF-8 and no other media type. An empty body is undefined; the route decides whether it needs one. A body with the name `__proto__` is
 * refused (Fastify docs, `onProtoPoisoning`).
 */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(invalid({ body: 'must be UTF-8' }))
    void parse(request, body.toString(), (error, value) => (error ? done(invalid({ body: 'must be valid JSON' })) : done(null, value)))
  })
}

/**
 * In the scope of `app`, the body is the JSON text and not its value, for routes that store it as it was sent and validate it themselves. A byte order mark is
 * removed, as the parser does elsewhere (RFC 8259 8.1).
 */
export function readJsonText(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request: FastifyRequest, body: Buffer, done) =>
    isUtf8(body) ? done(null, body.toString().replace(/^\uFEFF/, '')) : done(invalid({ body: 'must be UTF-8' })),
  )
}
