import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** What is between two neighbours only, beside what their `Connection` names (RFC 9110 7.6.1). */
const hopByHop = 'connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect'

/** Identity, address and trace of a request are never taken from its own headers. */
const said = 'x-(?:user|customer|caseway|forwarded)(?:-.*)?|x-real-ip|forwarded|traceparent|tracestate|baggage'
const notPassedOn = new RegExp(`^(?:${said}|${hopByHop})$`)

/** What says how a service is made, and what the gateway says itself. */
const made = 'server|via|x-powered-by|x-request-id|x-(?:user|customer|caseway|forwarded)-.*'
const notPassedBack = new RegExp(`^(?:${made}|${hopByHop}|access-control-.*)$`)
const notPassedBackOfPublic = new RegExp(`^(?:${made}|${hopByHop})$`)

/** The headers of a request as the service gets them. */
export function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = without(headers, notPassedOn)
  // The body of a GET means nothing and is left behind.
  if (request.method === 'GET' || request.method === 'HEAD') delete kept['content-length']
  const { address, traceparent } = request.tracing
  if (traceparent !== undefined) kept.traceparent = traceparent
  kept['x-forwarded-for'] = address
  kept['x-request-id'] = request.id
  return kept
}

/** The headers of an answer as the caller gets them. */
export const answerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, notPassedBack)

/** The same of a public path, where the service speaks for itself about CORS. */
export const publicAnswerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, notPassedBackOfPublic)

function without(headers: IncomingHttpHeaders, leftOut: RegExp): IncomingHttpHeaders {
  const named = namedBy(headers.connection)
  const kept: IncomingHttpHeaders = {}
  for (const name of Object.keys(headers)) if (!leftOut.test(name) && !named.includes(name)) kept[name] = headers[name]
  return kept
}

/** The headers that a `Connection` header names. Those of a request are gone before: `@fastify/reply-from` removes them. */
function namedBy(connection: string | string[] = []): string[] {
  if (connection === 'keep-alive' || connection === 'close') return []
  return [connection]
    .flat()
    .join()
    .toLowerCase()
    .split(/\s*,\s*/)
}
