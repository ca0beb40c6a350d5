import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { notFound } from '../../errors/index.js'
import { type Logger, type Metrics, requestIdFrom } from '../../observability/index.js'
import { compilePlainSchema } from '../bodies/plain-validation.js'
import { limitBodyTime } from './body-timeout.js'
import { endConnectionsOnClose } from './closing.js'
import { setDefaultHeaders } from './default-headers.js'
import { answerOf } from './envelope.js'
import { answerFailures, send } from './failures.js'
import { omitLengthOf304 } from './head-answers.js'
import type { Health } from './health.js'
import { sharedSerializers } from './shared-serializers.js'
import { answerSocketError, rejectInvalidHead } from './socket-errors.js'
import { traceRequests } from './tracing.js'

export interface HttpServerOptions extends Pick<Health, 'ready'> {
  /** The realm of `WWW-Authenticate` (RFC 9110 11.5). */
  realm: string
  log: Logger
  metrics: Metrics
  /**
   * Whether callers are outside of the installation. Then each request starts a new trace with a link to the caller's. Otherwise it continues the caller's
   * trace, with the caller's sampling decision. Default false.
   */
  startsTraces?: boolean
  /** Timeout of the head of a request, in milliseconds. Default 10,000. */
  headersTimeoutMs?: number
  /** Timeout of the body of a request, in milliseconds, unless its route is `longLived`. Default 30,000. */
  requestTimeoutMs?: number
  /** How long a connection may be idle during a request, in milliseconds. Default 90,000. */
  silenceTimeoutMs?: number
  /** The number of trusted proxies in front of this server: as many entries at the end of `X-Forwarded-For` are believed. Default 0. */
  trustedProxies?: number
}

/** `bodyLimit` in bytes, `keepAliveTimeout` in milliseconds. */
const limits = { bodyLimit: 1_048_576, keepAliveTimeout: 72_000 }

/**
 * Creates an HTTP server without routes. Every request gets an id, metrics, a trace and a timeout; every error is answered in the form of `envelope`; and
 * `close` does not wait for idle connections.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { realm, log, metrics, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, silenceTimeoutMs = 90_000 } = options
  const { trustedProxies = 0, ready = () => true, startsTraces = false } = options
  const app = fastify({
    ...limits,
    connectionTimeout: silenceTimeoutMs,
    // See `limitBodyTime`.
    requestTimeout: 0,
    // Node checks its timeouts only at this interval. `rejectInvalidHead` checks the header `Host`.
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    loggerInstance: log as FastifyBaseLogger,
    // The log adds the id of the request to each line, so that child loggers are not needed.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: {
      // A scope that adds schemas creates its compilers by these factories, and ignores `setValidatorCompiler`. The type allows only Ajv.
      compilersFactory: { buildValidator: (() => compilePlainSchema) as never, buildSerializer: sharedSerializers() },
    },
    genReqId: ({ headers }) => requestIdFrom(headers['x-request-id']),
    // While the server closes, requests on open connections are still served. See `endConnectionsOnClose`.
    return503OnClosing: false,
    clientErrorHandler: answerSocketError,
    // A URL that cannot be decoded, or is too long, is answered as an unknown one.
    frameworkErrors: (_error, request, reply) => send(reply.header('x-request-id', request.id), answerOf(notFound(), realm)),
  })
  limitBodyTime(app, requestTimeoutMs)
  traceRequests(app, metrics, { startsTraces })
  setDefaultHeaders(app)
  omitLengthOf304(app)
  answerFailures(app, realm, { log, metrics })
  rejectInvalidHead(app)
  endConnectionsOnClose(app, ready)
  return app
}
