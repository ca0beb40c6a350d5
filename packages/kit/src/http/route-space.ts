import type { FastifyInstance, RouteOptions } from 'fastify'
import { type Audience, employees, type Role } from '../caller/index.js'
import type { TokenVerifier } from '../tokens/index.js'
import { errorSchemas } from './answers.js'
import { authenticate } from './authenticate.js'
import { answerFailures, type Observers } from './failures.js'
import { type IdempotencyStore, makeIdempotent } from './idempotency.js'
import { serveDocument } from './openapi.js'
import type { App, Routes, Space } from './routes.js'

export interface RouteSpaceOptions extends Observers {
  space: Space
  /** Of the document. */
  title: string
  verifier: TokenVerifier
  idempotency: IdempotencyStore
  routes: readonly Routes[]
}

const everybody: Record<Audience, readonly Role[]> = { expert: employees, client: ['client'] }

/** One of the two addresses of a service: which tokens are good here is decided by where a route is, not by what it does. */
export const routeSpace = (options: RouteSpaceOptions) => async (app: FastifyInstance) => {
  const { space, title, verifier, idempotency, routes, metrics } = options
  const { audience } = space
  answerFailures(app, audience, options)
  app.decorate('space', space)
  for (const schema of errorSchemas) app.addSchema(schema)
  await serveDocument(app, title)

  app.addHook('onResponse', async ({ caller }, { statusCode }) => {
    if (statusCode === 403 && caller) metrics.permissionDenials.inc({ role: caller.role })
  })
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.public) return
    const guard = authenticate(verifier, audience, route.config?.roles ?? everybody[audience])
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()]
    if ([route.method].flat().includes('POST')) makeIdempotent(route, idempotency, audience)
  })
  for (const add of routes) await app.register(async (scope) => add(scope as App), { prefix: '/rest' })
}
