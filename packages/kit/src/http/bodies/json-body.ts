import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../../errors/index.js'

/**
 * Reads JSON and nothing else. No body at all is no error here: whether one is needed is for the route to say. `__proto__` is refused
 * (fastify docs, `onProtoPoisoning`).
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
 * In the scope of `app` a JSON body is its text, not its value: for routes that keep it as it was sent, and check it themselves. It has no byte
 * order mark, which the parser passes over elsewhere (RFC 8259 8.1).
 */
export function readJsonText(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request: FastifyRequest, body: Buffer, done) =>
    isUtf8(body) ? done(null, body.toString().replace(/^\uFEFF/, '')) : done(invalid({ body: 'must be UTF-8' })),
  )
}
