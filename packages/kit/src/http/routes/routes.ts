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

/** A function that adds routes to a route space, or several of them. The paths of public routes begin at `/`, and all others at `/rest`. */
export type Routes = ((app: App) => void | Promise<void>) | readonly Routes[]

/** Adds all of `routes` to `app`, each in a scope of its own. */
export function addRoutes(app: FastifyInstance, routes: Routes): void {
  if (typeof routes === 'function') app.register(scoped(routes.name || 'routes', async (scope) => routes(scope as App)))
  else for (const each of routes) addRoutes(app, each)
}

/** The route space of one audience. */
export interface Space {
  readonly audience: Audience
  /** The public base URL, without a slash at the end. */
  readonly url: string
  readonly zones: Zones
  /** Returns the hook that requires a token: a public route that accepts another credential calls it where that is missing. See `authenticate`. */
  authenticate(roles: readonly Role[]): (request: FastifyRequest) => Promise<void>
  /**
   * Answers a POST whose `config.idempotency` is `streamed`: with the result of `work`, or, where the request repeats an `Idempotency-Key`, with the first
   * answer. The handler must return the result.
   * @param content a text that identifies the body, such as its hash: a request with the same key and other content is refused
   */
  answerOnce(request: FastifyRequest, reply: FastifyReply, content: string, work: () => Promise<unknown>): Promise<unknown>
}

declare module 'fastify' {
  interface FastifyInstance {
    space: Space
  }
  interface FastifyRequest {
    /** The verified caller. Null only where `config.public` is set. */
    caller: Caller
    tracing: RequestContext & { readonly address: string }
  }
  interface FastifyContextConfig {
    /** Needs no token. */
    public?: boolean
    /** The roles that may call. Default every employee, or on the client address every client. */
    roles?: readonly Role[]
    /** The right that an employee needs in addition to their role; see `hasRight` of `createHttpApp`. */
    right?: string
    /** How a POST treats an `Idempotency-Key`. Default `transaction`. */
    idempotency?: Idempotency
    /** Encrypts the answer that is stored for the `Idempotency-Key` of a POST. For answers that contain a secret. */
    sealedBy?: Sealer
    /** May be called with an expired password, because it is needed to set a new one. */
    allowsExpiredPassword?: boolean
    /** May be called without the second factor that the office demands, because it is needed to set one up. */
    allowsMissingSecondFactor?: boolean
    /** The label `route` in the metrics, for groups of routes that would have too many series by themselves. Default the pattern of the route. */
    countedAs?: string
    /** Requests begin no trace: for routes that probes call all the time. */
    untraced?: boolean
    /** The body or the answer may take longer than the timeout of requests: an upload, a stream. */
    longLived?: boolean
  }
}
