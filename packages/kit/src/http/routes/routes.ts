import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Audience, Caller, Role } from '../../caller/index.js'
import type { Idempotency } from '../../idempotency/index.js'
import type { RequestContext } from '../../observability/index.js'
import type { Zones } from '../../resource/index.js'
import type { Sealer } from '../../secrets/index.js'
import { scoped } from '../server/scoped.js'

interface TypeBoxTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** A fastify instance whose routes get the types of their TypeBox schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypes>

/** Adds routes to a route space, or several that do; their paths are below `/rest`, or beside it where they are public. */
export type Routes = ((app: App) => void | Promise<void>) | readonly Routes[]

/** Adds all of `routes` to `app`, each in a scope of its own. */
export function addRoutes(app: FastifyInstance, routes: Routes): void {
  if (typeof routes === 'function') app.register(scoped(routes.name || 'routes', async (scope) => routes(scope as App)))
  else for (const each of routes) addRoutes(app, each)
}

/** One of the two addresses of a service. */
export interface Space {
  readonly audience: Audience
  /** The public address, without a slash at the end. */
  readonly url: string
  readonly zones: Zones
  /** The hook that requires a token, for a public route that also accepts another credential: it is called where that one is missing. See `authenticate`. */
  authenticate(roles: readonly Role[]): (request: FastifyRequest) => Promise<void>
  /**
   * The answer of a POST whose `config.idempotency` is `streamed`: what `work` answers, or, where the request repeats an `Idempotency-Key`, the
   * first answer. The handler returns what this resolves to.
   * @param content what the body said: a request with the same key and another content is refused
   */
  answerOnce(request: FastifyRequest, reply: FastifyReply, content: string, work: () => Promise<unknown>): Promise<unknown>
}

declare module 'fastify' {
  interface FastifyInstance {
    space: Space
  }
  interface FastifyRequest {
    /** Who calls. Null only where `config.public` is set. */
    caller: Caller
    tracing: RequestContext & { readonly address: string }
  }
  interface FastifyContextConfig {
    /** Needs no token. */
    public?: boolean
    /** Who may call; by default every employee, or on the client address every client. */
    roles?: readonly Role[]
    /** The right that an employee needs in addition to their role; see `hasRight` of `createHttpApp`. */
    right?: string
    /** How a POST treats an `Idempotency-Key`. Default `transaction`. */
    idempotency?: Idempotency
    /** Of a POST whose answer carries a secret: encrypts what is kept of it for its `Idempotency-Key`. */
    sealedBy?: Sealer
    /** May be called with an expired password: it is where another one is set. */
    allowsExpiredPassword?: boolean
    /** May be called without the second factor that the office demands: it is where one is set up. */
    allowsMissingSecondFactor?: boolean
    /** The label `route` in the metrics, for routes of which each pattern would be too many series. Default the pattern of the route. */
    countedAs?: string
    /** No trace begins here: probes call it all the time. */
    untraced?: boolean
    /** The body or the answer may take longer than the timeout of requests: an upload, a stream. */
    longLived?: boolean
  }
}
