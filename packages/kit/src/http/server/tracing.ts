import type { FastifyInstance } from 'fastify'
import { type Metrics, requestContext } from '../../observability/index.js'
import { tracerOf } from '../../tracing/index.js'
import { clientAddress } from './client-address.js'
import { answerCounter } from './request-metrics.js'
import { serverTraces } from './server-span.js'

/** The deadline of a request, in milliseconds: the default timeout of the gateway. */
const requestMs = 30_000

/** Gives every request an id, a context and a span, and counts it in the metrics. */
export function traceRequests(app: FastifyInstance, metrics: Metrics, { startsTraces }: { startsTraces: boolean }): void {
  const count = answerCounter(metrics)
  const traceOf = serverTraces(tracerOf(metrics.service), startsTraces)
  app.decorateRequest('caller')
  app.decorateRequest('tracing')

  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent, span } = traceOf(request, reply)
    reply.header('x-request-id', request.id)
    request.tracing = {
      requestId: request.id,
      address: clientAddress(request),
      deadline: request.routeOptions.config.longLived ? Number.POSITIVE_INFINITY : Date.now() + requestMs,
      traceparent,
      span,
    }
    requestContext.run(request.tracing, done)
  })

  // The events in which a body arrives run outside of the context of the request, so it is entered again.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) done()
    else requestContext.run(request.tracing, done)
  })

  app.addHook('onResponse', ({ method, routeOptions, log }, reply, done) => {
    const route = routeOptions.url ?? 'unknown'
    count({ route: routeOptions.config.countedAs ?? route, method, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    log.debug({ method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
    done()
  })
}
