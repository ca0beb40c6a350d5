import type { FastifyInstance } from 'fastify'
import { notFound } from '../../errors/index.js'
import { envelope } from './envelope.js'

/** The answer to a method that the URL does not support. The caller must add the header `Allow` (RFC 9110 15.5.6). */
export const methodNotAllowed = envelope(405, 'This method is not allowed here.', 'METHOD_NOT_ALLOWED')

interface KnownUrl {
  readonly segments: readonly string[]
  readonly methods: Set<string>
}

/** A trailing `*` matches every path below; a route that is `*` alone, as hooks register it, matches none. */
function matches(segments: readonly string[], path: readonly string[]): boolean {
  const open = segments.length > 1 && segments.at(-1) === '*'
  const known = open ? segments.slice(0, -1) : segments
  if (open ? path.length < segments.length : path.length !== segments.length) return false
  return known.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
}

const parameters = ({ segments }: KnownUrl) => segments.filter((segment) => segment.startsWith(':') || segment === '*').length

/**
 * Answers requests that match no route before their body is read: with 405 and `Allow` (RFC 9110 15.5.6) where the URL has routes for other methods, otherwise
 * with 404.
 */
export function answerUnknown(app: FastifyInstance): void {
  const known = new Map<string, KnownUrl>()

  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { segments: url.split('/'), methods: new Set() }
    for (const each of [method].flat()) entry.methods.add(each)
    known.set(url, entry)
  })

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const path = request.url.replace(/\?.*$/, '').split('/')
    const [closest] = [...known.values()].filter(({ segments }) => matches(segments, path)).sort((a, b) => parameters(a) - parameters(b))
    if (!closest) return done(notFound())
    const { status, headers, body } = methodNotAllowed
    reply
      .code(status)
      .headers({ ...headers, allow: [...closest.methods].join(', ') })
      .send(body)
  })
}
