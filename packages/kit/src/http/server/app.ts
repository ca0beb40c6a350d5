import type { FastifyInstance } from 'fastify'
import type { Audience } from '../../caller/index.js'
import type { IdempotencyStore } from '../../idempotency/index.js'
import type { Logger, Metrics } from '../../observability/index.js'
import { cachedZones, type TimeZones } from '../../resource/index.js'
import type { TokenVerifier } from '../../tokens/index.js'
import { refuseCodedBodies } from '../bodies/content-coding.js'
import { readJson } from '../bodies/json-body.js'
import type { DocumentedWebhooks } from '../documents/openapi.js'
import type { HasRight } from '../routes/authenticate.js'
import { type OnRefused, routeSpace } from '../routes/route-space.js'
import { addRoutes, type Routes } from '../routes/routes.js'
import { type Health, serveHealth } from './health.js'
import { createHttpServer } from './server.js'
import { answerUnknown } from './unknown.js'

export interface HttpAppOptions extends Health {
  /** The service's name: the title of its documents. */
  name: string
  log: Logger
  metrics: Metrics
  verifier: TokenVerifier
  /** The public base URLs, for links, `location` and the documents. */
  urls: Record<Audience, string>
  timeZones: TimeZones
  idempotency: IdempotencyStore
  /** Called before a 403 is sent to a signed-in caller. The answer waits for it; a failure is only logged. */
  onRefused?: OnRefused
  /** Checks `config.right` of routes. Required where a route has one. */
  hasRight?: HasRight
  /** The requests that the service sends to offices, for the document of the address for experts. */
  webhooks?: DocumentedWebhooks | undefined
  routes: Record<Audience, readonly Routes[]> & {
    /**
     * Routes without a token on the client address, outside of `/rest`, such as `/company_cards/:hash`. Bodies are limited to 64 KiB. They are in the document
     * of that address, and must find the office by something in the request, such as a hash.
     */
    public?: readonly Routes[]
    /** Routes without a token that no document lists; their paths are registered as they are. */
    unprotected?: readonly Routes[]
  }
}

/**
 * Creates the HTTP server of a service, which does not listen yet: the route spaces `/expert/rest/…` and `/client/rest/…`, public routes at `/client/…`, an
 * OpenAPI document for each space (`/expert/openapi.json`), `/healthz` and `/readyz`.
 */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { name, log, metrics, verifier, idempotency, urls, routes, onRefused, hasRight } = options
  // The gateway is the only proxy in front of a service.
  const trustedProxies = 1
  const app = createHttpServer({ realm: name, log, metrics, ready: options.ready, trustedProxies })
  answerUnknown(app)
  serveHealth(app, options)
  refuseCodedBodies(app)
  readJson(app)

  const zones = cachedZones(options.timeZones)
  for (const audience of ['expert', 'client'] as const) {
    const space = { audience, url: urls[audience], zones }
    const served =
      audience === 'client' ? { routes: routes.client, publicRoutes: routes.public } : { routes: routes.expert, webhooks: options.webhooks }
    const plugin = routeSpace({ log, metrics, space, title: name, verifier, idempotency, onRefused, hasRight, ...served })
    app.register(plugin, { prefix: `/${audience}` })
  }
  addRoutes(app, routes.unprotected ?? [])
  return app
}
