import type { FastifyInstance } from 'fastify'
import { type Caller, rolesOf } from '../../caller/index.js'
import type { IdempotencyStore } from '../../idempotency/index.js'
import type { TokenVerifier } from '../../tokens/index.js'
import { errorSchemas } from '../documents/answers.js'
import { type DocumentedWebhooks, serveDocument } from '../documents/openapi.js'
import { answerFailures, type Observers } from '../server/failures.js'
import { scoped } from '../server/scoped.js'
import { authenticate, type HasRight, requireRight } from './authenticate.js'
import { answerStreamed, makeIdempotent } from './idempotency.js'
import { addRoutes, type Routes, type Space } from './routes.js'

/** A request of a signed-in caller that was answered with 403. */
export interface Refusal {
  readonly caller: Caller
  readonly method: string
  /** The pattern of the route, without values: `/expert/rest/user/:id`. */
  readonly route: string
}
export type OnRefused = (refusal: Refusal) => Promise<void>

export interface RouteSpaceOptions extends Observers {
  space: Omit<Space, 'authenticate' | 'answerOnce'>
  /** The title of the OpenAPI document. */
  title: string
  verifier: TokenVerifier
  idempotency: IdempotencyStore
  onRefused?: OnRefused | undefined
  hasRight?: HasRight | undefined
  /** The routes below `/rest`, which need a token. */
  routes: readonly Routes[]
  /** The routes outside of `/rest`, which need none. */
  publicRoutes?: readonly Routes[] | undefined
  /** The requests that the service sends, for the document. */
  webhooks?: DocumentedWebhooks | undefined
}

/** The maximum body of a public route, in bytes. It is small, because callers are not authenticated. */
const publicBodyLimitBytes = 65_536

/** The plugin of one route space, `/expert` or `/client`. All of its routes accept tokens of its audience and no others. */
export const routeSpace = (options: RouteSpaceOptions) => scoped(options.space.audience, (app) => addRouteSpace(app, options))

async function addRouteSpace(app: FastifyInstance, options: RouteSpaceOptions): Promise<void> {
  const { title, verifier, idempotency, routes, webhooks, publicRoutes = [], metrics, log, onRefused, hasRight } = options
  const { audience } = options.space
  const space: Space = {
    ...options.space,
    authenticate: (roles) => authenticate(verifier, audience, roles),
    answerOnce: answerStreamed(idempotency, options.space),
  }
  answerFailures(app, audience, options)
  app.decorate('space', space)
  for (const schema of errorSchemas) app.addSchema(schema)
  await serveDocument(app, title, webhooks)

  app.addHook('onResponse', async ({ caller }, { statusCode }) => {
    if (statusCode === 403 && caller) metrics.permissionDenials.inc({ role: caller.role })
  })
  if (onRefused) {
    app.addHook('onSend', ({ caller, method, routeOptions }, { statusCode }, _payload, done) => {
      if (statusCode !== 403 || !caller) return done()
      onRefused({ caller, method, route: routeOptions.url ?? '' })
        .catch((err: unknown) => log.warn({ err }, 'a denied request could not be recorded'))
        .finally(() => done())
    })
  }
  app.register(
    scoped('rest', async (rest) => {
      rest.addHook('onRoute', (route) => {
        if (route.config?.public) return
        const guard = space.authenticate(route.config?.roles ?? rolesOf[audience])
        const rights = route.config?.right === undefined ? [] : [requireRight(route.config.right, hasRight)]
        route.onRequest = [guard, ...rights, ...[route.onRequest ?? []].flat()]
        if ([route.method].flat().includes('POST')) makeIdempotent(route, idempotency, space)
      })
      addRoutes(rest, routes)
    }),
    { prefix: '/rest' },
  )
  app.register(
    scoped('public', async (open) => {
      open.addHook('onRoute', (route) => {
        route.config = { ...route.config, public: true }
        route.bodyLimit ??= publicBodyLimitBytes
      })
      addRoutes(open, publicRoutes)
    }),
  )
}
