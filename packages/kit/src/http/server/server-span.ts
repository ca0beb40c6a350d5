import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Span, TraceContext, Tracer } from '../../tracing/index.js'

const noContext: TraceContext = {}

/**
 * Returns a function that starts the server span of a request, such as `GET /rest/tag/:id` (OpenTelemetry, Semantic Conventions for HTTP). Path and query are
 * not recorded, because they name people and may contain secrets.
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
    // A stream may run for hours, so that its spans would have no end.
    return config.longLived ? { traceparent: begun.traceparent } : begun
  }

/** Ends `span` when the response is closed: an aborted one has no other event. */
function follow(span: Span, { method, routeOptions: { url } }: FastifyRequest, { raw }: FastifyReply): void {
  span.describe({ 'http.request.method': method, 'url.scheme': 'http', ...(url !== undefined && { 'http.route': url }) })
  raw.once('close', () => {
    // The client left before the answer, so there is no status.
    if (!raw.headersSent) return span.end()
    const { statusCode } = raw
    span.describe({ 'http.response.status_code': statusCode })
    span.end(statusCode >= 500 ? String(statusCode) : undefined)
  })
}
