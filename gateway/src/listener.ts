import type { Audience } from '@caseway/kit/caller'
import { createHttpServer, type Health, scoped, serveHealth } from '@caseway/kit/http'
import type { Logger, Metrics } from '@caseway/kit/observability'
import type { FastifyInstance } from 'fastify'
import type { GatewayConfig } from './config.js'
import { type Documented, serveDocuments } from './documents/document.routes.js'
import { type Forwarding, forward, forwardKeys } from './forwarding/forward.js'
import { serveFrontPage } from './front-page/front-page.routes.js'
import { authenticate, type Guard } from './requests/authenticate.js'
import { allowOrigins } from './requests/cors.js'
import { limitBody } from './requests/limit-body.js'
import { refuseUnknown } from './requests/refuse-unknown.js'
import { noticeSignOut } from './requests/sign-out.js'
import { requireHttps } from './requests/strict-transport.js'
import { answerAsOAuth } from './requests/token-errors.js'

export interface ListenerOptions extends Guard, Forwarding, Omit<Documented, 'clientId'>, Health {
  readonly audience: Audience
  readonly config: GatewayConfig
  readonly log: Logger
  readonly metrics: Metrics
}

/** Creates one of the two public listeners; the caller starts it. */
export async function createListener(options: ListenerOptions): Promise<FastifyInstance> {
  const { audience, config, log, metrics } = options
  const { requestTimeoutMs, headersTimeoutMs, trustedProxies } = config
  const app = createHttpServer({
    ...{ realm: audience, log, metrics, ready: options.ready, startsTraces: true },
    ...{ requestTimeoutMs, headersTimeoutMs, trustedProxies },
  })
  requireHttps(app, config.hstsSeconds)
  await allowOrigins(app, config.corsOrigins)
  refuseUnknown(app, audience)
  serveHealth(app, options)
  app.register(scoped('public', async (scope) => servePublic(scope, options)))
  app.register(scoped('services', async (scope) => forwardToServices(scope, options)))
  return app
}

/** Serves everything that needs no token. */
async function servePublic(app: FastifyInstance, options: ListenerOptions): Promise<void> {
  const { audience, config, limits } = options
  const clientId = config.pagesClientId
  app.addHook('onRequest', limits)
  forwardKeys(app, options.services.auth)
  await serveDocuments(app, { ...options, clientId })
  if (config.frontPage) await serveFrontPage(app, audience, clientId)
}

/** Forwards requests to the services, behind the checks that every request has to pass. */
function forwardToServices(app: FastifyInstance, options: ListenerOptions): void {
  const { config, ended } = options
  answerAsOAuth(app)
  app.addHook('onRequest', authenticate(options))
  limitBody(app, config)
  noticeSignOut(app, ended)
  forward(app, options)
}
