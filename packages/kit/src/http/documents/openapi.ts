import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { sendTagged, type TaggedJson, tagged } from '../bodies/tagged-json.js'

/** What a service sends to others, by the names of the requests: path items of OpenAPI 3.1 (`webhooks`). */
export type DocumentedWebhooks = Readonly<Record<string, object>>

/**
 * Serves the OpenAPI 3.1 document of the routes that are added to `app` from now on, at `openapi.json`. Its paths are the public ones,
 * without the prefix of the space.
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
        // A preflight is the browser's.
        ...(route.method === 'OPTIONS' && { hide: true }),
      },
      url: url.slice(app.prefix.length),
    }),
  })
  // The routes are complete when the first request comes.
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

/** A tuple of TypeBox, which is written as in drafts before 2020-12, where `items` was a list (JSON Schema 2020-12, 10.3.1.1). */
function withPrefixItems(_: string, part: unknown): unknown {
  const { items, additionalItems = true, ...schema } = (part ?? {}) as EarlierTuple
  return Array.isArray(items) ? { ...schema, prefixItems: items, items: additionalItems } : part
}
