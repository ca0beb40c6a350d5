import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** Hop-by-hop headers, in addition to those that `Connection` names (RFC 9110 7.6.1). */
const hopByHop = 'connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect'

/** Headers that claim an identity, a client address or a trace; they are never accepted from outside. */
const said = 'x-(?:user|customer|caseway|forwarded)(?:-.*)?|x-real-ip|forwarded|traceparent|tracestate|baggage'
const notPassedOn = new RegExp(`^(?:${said}|${hopByHop})$`)

/** Headers that reveal the implementation of a service, and those that the gateway sets itself. */
const made = 'server|via|x-powered-by|x-request-id|x-(?:user|customer|caseway|forwarded)-.*'
const notPassedBack = new RegExp(`^(?:${made}|${hopByHop}|access-control-.*)$`)
const notPassedBackOfPublic = new RegExp(`^(?:${made}|${hopByHop})$`)

/** The headers of a request as they are sent to the service. */
export function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = without(headers, notPassedOn)
  // A body of GET or HEAD has no meaning and is not forwarded.
  if (request.method === 'GET' || request.method === 'HEAD') delete kept['content-length']
  const { address, traceparent } = request.tracing
  if (traceparent !== undefined) kept.traceparent = traceparent
  kept['x-forwarded-for'] = address
  kept['x-request-id'] = request.id
  return kept
}

/** The headers of an answer as they are sent to the caller. */
export const answerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, notPassedBack)

/** The same for a public path, where the CORS headers of the service are kept. */
export const publicAnswerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, notPassedBackOfPublic)

function without(headers: IncomingHttpHeaders, leftOut: RegExp): IncomingHttpHeaders {
  const named = namedBy(headers.connection)
  const kept: IncomingHttpHeaders = {}
  for (const name of Object.keys(headers)) if (!leftOut.test(name) && !named.includes(name)) kept[name] = headers[name]
  return kept
}

/** The headers that `Connection` names in an answer; `@fastify/reply-from` has already removed those of a request. */
function namedBy(connection: string | string[] = []): string[] {
  if (connection === 'keep-alive' || connection === 'close') return []
  return [connection]
    .flat()
    .join()
    .toLowerCase()
    .split(/\s*,\s*/)
}
