import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DocumentService } from './document.service.js'

export interface Documented {
  /** The public address. */
  readonly url: string
  readonly documents: DocumentService
}

const documentPath = '/rest/openapi.json'

/** The document of one address, and a page that shows it and can try it out. */
export async function serveDocuments(app: FastifyInstance, { url, documents }: Documented): Promise<void> {
  app.get(documentPath, async () => documents.merged())
  await app.register(swagger)
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'none' },
    theme: { title: 'Caseway' },
    staticCSP: policyOf(url),
    uiHooks: { onRequest: pointToDocument },
  })
}

/** The page looks for the document beside itself. */
async function pointToDocument({ routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (routeOptions.url === '/docs/json' || routeOptions.url === '/docs/yaml') await reply.redirect(documentPath)
}

/**
 * Content Security Policy of the page: nothing from elsewhere, nothing inline, no frame around it. It calls the public address, which
 * need not be where it was opened.
 */
const policyOf = (url: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(url).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
