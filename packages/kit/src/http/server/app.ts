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
  /** The public addresses: of links, `location` and the documents. */
  urls: Record<Audience, string>
  timeZones: TimeZones
  idempotency: IdempotencyStore
  /** Called before a 403 is sent to a signed-in caller. The answer waits for it; a failure is only logged. */
  onRefused?: OnRefused
  /** Says who has the rights that routes ask for. Needed where one does. */
  hasRight?: HasRight
  /** What the service sends to offices, for the document of the address for experts. */
  webhooks?: DocumentedWebhooks | undefined
  routes: Record<Audience, readonly Routes[]> & {
    /**
     * Public: on the client address beside `/rest`, as `/company_cards/:hash`. They need no token and look at none, take bodies up to 64 KiB, and
     * are in the document of that address. The office is found by something in the request, such as a hash.
     */
    public?: readonly Routes[]
    /** Routes without a token that no document lists; their paths are registered as they are. */
    unprotected?: readonly Routes[]
  }
}

/**
 * A service's HTTP side, not listening yet: the route spaces `/expert/rest/…` and `/client/rest/…`, public paths at `/client/…`, a document
 * for each space (`/expert/openapi.json`), `/healthz` and `/readyz`.
 */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { name, log, metrics, verifier, idempotency, urls, routes, onRefused, hasRight } = options
  // The gateway is the one proxy in front of a service.
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
