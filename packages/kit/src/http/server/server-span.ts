import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Span, TraceContext, Tracer } from '../../tracing/index.js'

const noContext: TraceContext = {}

/**
 * Where a request stands in its trace: a span `GET /rest/tag/:id` of the kind "server" (OpenTelemetry, Semantic Conventions for HTTP). The
 * path itself and the query are left out, for they name people and may hold secrets.
 * @param startsTraces see `HttpServerOptions`
 */
export const serverTraces =
  (tracer: Tracer | undefined, startsTraces: boolean) =>
  (request: FastifyRequest, reply: FastifyReply): TraceContext => {
    const { traceparent } = request.headers
    const came = typeof traceparent === 'string' ? traceparent : undefined
    const { url, config } = request.routeOptions
    if (!tracer || config.untraced) return startsTraces ? noContext : { traceparent: came }
    const name = url === undefined ? request.method : `${request.method} ${url}`
    const begun = tracer.begin(name, 'server', startsTraces ? { link: came } : { parent: came })
    if (!begun.span) return begun
    follow(begun.span, request, reply)
    // A stream may go on for hours: what it does then would be steps without end.
    return config.longLived ? { traceparent: begun.traceparent } : begun
  }

/** Until the connection is done with the answer: one whose client has gone has no other end. */
function follow(span: Span, { method, routeOptions: { url } }: FastifyRequest, { raw }: FastifyReply): void {
  span.describe({ 'http.request.method': method, 'url.scheme': 'http', ...(url !== undefined && { 'http.route': url }) })
  raw.once('close', () => {
    // Whoever hangs up before the answer gets none.
    if (!raw.headersSent) return span.end()
    const { statusCode } = raw
    span.describe({ 'http.response.status_code': statusCode })
    span.end(statusCode >= 500 ? String(statusCode) : undefined)
  })
}
