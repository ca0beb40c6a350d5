import { scoped, sendTagged } from '@caseway/kit/http'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { contentPolicy, pageHeaders } from '../pages.js'
import type { DocumentService } from './document.service.js'

export interface Documented {
  /** The public address. */
  readonly url: string
  readonly documents: DocumentService
  /** The public application as which the page signs people in. */
  readonly clientId: string
}

const documentPath = '/rest/openapi.json'

/** The document of one address, and a page that shows it and can try it out. */
export async function serveDocuments(app: FastifyInstance, { url, documents, clientId }: Documented): Promise<void> {
  app.get(documentPath, async (request, reply) => sendTagged(request, reply, await documents.merged()))
  const docs: FastifyPluginAsync = async (page) => {
    page.addHook('onRequest', async (_request, reply) => void reply.headers(pageHeaders))
    await page.register(swagger)
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      // Above the document the other layout has a bar with the logo of the library, whose style our policy refuses.
      uiConfig: { docExpansion: 'none', layout: 'BaseLayout' },
      theme: { title: 'Caseway' },
      // The page calls the public address, which need not be where it was opened.
      staticCSP: contentPolicy([new URL(url).origin]),
      initOAuth: { clientId },
      uiHooks: { onRequest: pointToDocument },
    })
  }
  await app.register(scoped('docs', docs))
}

/** The page looks for the document beside itself. */
async function pointToDocument({ routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (routeOptions.url === '/docs/json' || routeOptions.url === '/docs/yaml') await reply.redirect(documentPath)
}
