import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { sendTagged, type TaggedJson, tagged } from '../bodies/tagged-json.js'

/** The requests that a service sends, by their names: path items for `webhooks` of OpenAPI 3.1. */
export type DocumentedWebhooks = Readonly<Record<string, object>>

/**
 * Serves the OpenAPI 3.1 document of all routes that are added to `app` later, at `/openapi.json`. Paths are shown without the prefix of `app`, as the public
 * addresses have them.
 */
export async function serveDocument(app: FastifyInstance, title: string, webhooks?: DocumentedWebhooks): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: '1' },
      servers: [{ url: app.space.url }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
      ...(webhooks && { webhooks: webhooks as Record<string, never> }),
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        ...(route.config?.public && { security: schema?.security ?? [] }),
        // Browsers send CORS preflights on their own.
        ...(route.method === 'OPTIONS' && { hide: true }),
      },
      url: url.slice(app.prefix.length),
    }),
  })
  // Generated at the first request, when all routes are registered.
  let document: TaggedJson | undefined
  app.get('/openapi.json', { config: { public: true }, schema: { hide: true } }, (request, reply) => {
    document ??= tagged(JSON.stringify(app.swagger(), withPrefixItems))
    sendTagged(request, reply, document)
  })
}

interface EarlierTuple {
  readonly items?: unknown
  readonly additionalItems?: unknown
}

/** Converts tuples of TypeBox, which have a list as `items` as in drafts before 2020-12, to `prefixItems` (JSON Schema 2020-12, 10.3.1.1). */
function withPrefixItems(_: string, part: unknown): unknown {
  const { items, additionalItems = true, ...schema } = (part ?? {}) as EarlierTuple
  return Array.isArray(items) ? { ...schema, prefixItems: items, items: additionalItems } : part
}
