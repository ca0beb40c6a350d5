import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Audience } from '../caller/index.js'
import { notFound } from '../errors/index.js'
import { type Logger, type Metrics, requestIdFrom } from '../observability/index.js'
import type { TokenVerifier } from '../tokens/index.js'
import { endConnectionsOnClose } from './closing.js'
import { answerOf } from './envelope.js'
import { answerFailures, send } from './failures.js'
import { type Health, serveHealth } from './health.js'
import type { IdempotencyStore } from './idempotency.js'
import { readJson } from './json-body.js'
import { compilePlainSchema } from './plain-validation.js'
import { routeSpace } from './route-space.js'
import type { App, Routes } from './routes.js'
import { answerOddHeads, answerSocketError } from './socket-errors.js'
import { traceRequests } from './tracing.js'
import { answerUnknown } from './unknown.js'
import { cachedZones, type TimeZones } from './zones.js'

export interface HttpAppOptions extends Health {
  /** The service's name: the title of its documents. */
  name: string
  log: Logger
  metrics: Metrics
  verifier: TokenVerifier
  /** The public addresses: of links, `location` and the documents. */
  urls: Record<Audience, string>
  timeZones: TimeZones
  idempotency: IdempotencyStore
  routes: Record<Audience, readonly Routes[]> & {
    /** Needs no token and is in no document; their paths are as they stand. */
    unprotected?: readonly Routes[]
  }
}

/** In milliseconds, the sizes in bytes. Node checks the first two only as often as `connectionsCheckingInterval` says. */
const limits = {
  bodyLimit: 1_048_576,
  requestTimeout: 30_000,
  connectionTimeout: 90_000,
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
}

/**
 * A service's HTTP side, not listening yet: the route spaces `/expert/rest/…` and `/client/rest/…`, a document for each
 * (`/expert/openapi.json`), `/healthz` and `/readyz`.
 */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { name, log, metrics, verifier, idempotency, urls, routes } = options
  const app = fastify({
    ...limits,
    loggerInstance: log as FastifyBaseLogger,
    // The log adds the request's id to each line by itself.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdFrom(headers['x-request-id']),
    // While closing, the requests on open connections are still served; each is the last one of its connection.
    return503OnClosing: false,
    clientErrorHandler: answerSocketError,
    // A URL that cannot be decoded, or is absurdly long, names nothing.
    frameworkErrors: (_error, request, reply) => send(reply.header('x-request-id', request.id), answerOf(notFound(), name)),
  })
  traceRequests(app, metrics)
  answerFailures(app, name, options)
  answerOddHeads(app)
  answerUnknown(app)
  readJson(app)
  app.setValidatorCompiler(compilePlainSchema)
  serveHealth(app, options)
  endConnectionsOnClose(app)

  const zones = cachedZones(options.timeZones)
  for (const audience of ['expert', 'client'] as const) {
    const space = { audience, url: urls[audience], zones }
    const plugin = routeSpace({ log, metrics, space, title: name, verifier, idempotency, routes: routes[audience] })
    app.register(plugin, { prefix: `/${audience}` })
  }
  for (const add of routes.unprotected ?? []) app.register(async (scope) => add(scope as App))
  return app
}
