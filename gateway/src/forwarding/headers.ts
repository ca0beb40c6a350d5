import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { clientAddressOf } from '../requests/client-address.js'

/**
 * Who somebody is, where he comes from, and which trace is recorded is never taken from him; the rest is between two neighbours only
 * (RFC 9110 7.6.1).
 */
const notPassedOn = /^(?:x-(?:user|customer|caseway|forwarded)(?:-.*)?|x-real-ip|forwarded|traceparent|tracestate|baggage)$/
const hopByHop = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/

/** What says how a service is made, and what the gateway says itself. */
const notPassedBack = /^(?:server|via|x-powered-by|x-request-id|x-(?:user|customer|caseway|forwarded)-.*|access-control-.*)$/

/** The headers of a request as the service gets them. */
export function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = without(headers, (name) => notPassedOn.test(name) || hopByHop.test(name))
  // The body of a GET means nothing and is left behind.
  if (request.method === 'GET' || request.method === 'HEAD') delete kept['content-length']
  const { traceparent } = request.tracing
  const trace = traceparent !== undefined && { traceparent }
  return { ...kept, ...trace, 'x-forwarded-for': clientAddressOf(request), 'x-request-id': request.id }
}

/** The headers of an answer as the caller gets them. */
export const answerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  without(headers, (name) => notPassedBack.test(name) || hopByHop.test(name))

const without = (headers: IncomingHttpHeaders, isLeftOut: (name: string) => boolean): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isLeftOut(name)))
