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
  /** What a 401 names as the realm (RFC 9110 11.5). */
  realm: string
  log: Logger
  metrics: Metrics
  /**
   * Whether callers are outside of the installation. Then each request begins a trace of its own, which is only linked to the caller's. Otherwise it continues
   * the caller's trace, with the caller's sampling decision.
   */
  startsTraces?: boolean
  /** Timeout of the head of a request, in milliseconds. Default 10,000. */
  headersTimeoutMs?: number
  /** Timeout of the body of a request, in milliseconds, unless its route is `longLived`. Default 30,000. */
  requestTimeoutMs?: number
  /** How long a connection may be idle in the middle of a request, in milliseconds. Default 90,000. */
  silenceTimeoutMs?: number
  /** How many proxies in front of this server are trusted: so many entries at the end of `X-Forwarded-For` are believed. Default 0. */
  trustedProxies?: number
}

/** `bodyLimit` in bytes, `keepAliveTimeout` in milliseconds. */
const limits = { bodyLimit: 1_048_576, keepAliveTimeout: 72_000 }

/**
 * An HTTP server without routes: every request has an id, a place in the metrics and a bound on its time, every error the shape of the
 * contract, and a stop does not wait for an idle connection.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { realm, log, metrics, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, silenceTimeoutMs = 90_000 } = options
  const { trustedProxies = 0, ready = () => true, startsTraces = false } = options
  const app = fastify({
    ...limits,
    connectionTimeout: silenceTimeoutMs,
    // See `limitBodyTime`.
    requestTimeout: 0,
    // Node checks the timeouts only at this interval.
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    loggerInstance: log as FastifyBaseLogger,
    // The log adds the request's id to each line by itself.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: {
      // A scope that adds schemas builds its compilers anew by these factories, and ignores `setValidatorCompiler`. The type allows Ajv alone.
      compilersFactory: { buildValidator: (() => compilePlainSchema) as never, buildSerializer: sharedSerializers() },
    },
    genReqId: ({ headers }) => requestIdFrom(headers['x-request-id']),
    // While closing, the requests on open connections are still served; each is the last one of its connection.
    return503OnClosing: false,
    clientErrorHandler: answerSocketError,
    // A URL that cannot be decoded, or is absurdly long, names nothing.
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
