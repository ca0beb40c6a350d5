import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** Hop-by-hop headers, in addition to those that `Connection` names (RFC 9110 7.6.1). */
const hopByHop = 'connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect'

/** Headers that claim an identity, a client address or a trace; they are never accepted from outside. */
const untrusted = 'x-(?:user|customer|caseway|forwarded)(?:-.*)?|x-real-ip|forwarded|traceparent|tracestate|baggage'
const droppedFromRequests = new RegExp(`^(?:${untrusted}|${hopByHop})$`)

/** Headers that reveal the implementation of a service, and those that the gateway sets itself. */
const internal = 'server|via|x-powered-by|x-request-id|x-(?:user|customer|caseway|forwarded)-.*'
const droppedFromAnswers = new RegExp(`^(?:${internal}|${hopByHop}|access-control-.*)$`)
const droppedFromPublicAnswers = new RegExp(`^(?:${internal}|${hopByHop})$`)

/** The headers of a request as they are sent to the service. */
export function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const forwarded = without(headers, droppedFromRequests)
  // A body of GET or HEAD has no meaning and is not forwarded.
  if (request.method === 'GET' || request.method === 'HEAD') delete forwarded['content-length']
  const { address, traceparent } = request.tracing
  if (traceparent !== undefined) forwarded.traceparent = traceparent
  forwarded['x-forwarded-for'] = address
  forwarded['x-request-id'] = request.id
  return forwarded
}

/** The headers of an answer as they are sent to the caller. */
export const answerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, droppedFromAnswers)

/** The same for a public path, where the CORS headers of the service are kept. */
export const publicAnswerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, droppedFromPublicAnswers)

function without(headers: IncomingHttpHeaders, dropped: RegExp): IncomingHttpHeaders {
  const named = namedBy(headers.connection)
  const forwarded: IncomingHttpHeaders = {}
  for (const name of Object.keys(headers)) if (!dropped.test(name) && !named.includes(name)) forwarded[name] = headers[name]
  return forwarded
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
