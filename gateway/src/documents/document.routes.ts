import { scoped, sendTagged } from '@caseway/kit/http'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { contentPolicy, pageHeaders } from '../pages.js'
import type { DocumentService } from './document.service.js'

export interface Documented {
  /** The public base URL of the address. */
  readonly url: string
  readonly documents: DocumentService
  /** The public application (`client_id`) with which the page signs people in. */
  readonly clientId: string
}

const documentPath = '/rest/openapi.json'

/** Serves the OpenAPI document of one address, and Swagger UI for it at `/docs`. */
export async function serveDocuments(app: FastifyInstance, { url, documents, clientId }: Documented): Promise<void> {
  app.get(documentPath, async (request, reply) => sendTagged(request, reply, await documents.merged()))
  const docs: FastifyPluginAsync = async (page) => {
    page.addHook('onRequest', async (_request, reply) => void reply.headers(pageHeaders))
    await page.register(swagger)
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      // The other layout adds a bar with a logo whose inline style our Content Security Policy refuses.
      uiConfig: { docExpansion: 'none', layout: 'BaseLayout' },
      theme: { title: 'Caseway' },
      // The page calls the public URL, which may differ from the one at which it was opened.
      staticCSP: contentPolicy([new URL(url).origin]),
      initOAuth: { clientId },
      uiHooks: { onRequest: pointToDocument },
    })
  }
  await app.register(scoped('docs', docs))
}

/** Swagger UI requests the document below its own path; redirects it to ours. */
async function pointToDocument({ routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (routeOptions.url === '/docs/json' || routeOptions.url === '/docs/yaml') await reply.redirect(documentPath)
}
