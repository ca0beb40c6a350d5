import { fileURLToPath } from 'node:url'
import type { Audience } from '@caseway/kit/caller'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { contentPolicy, pageHeaders } from '../pages.js'
import { libraries } from './libraries.js'

const folder = '/front-page'
/** The same folder seen from `src` and from `dist`: the page is not compiled. */
const page = fileURLToPath(new URL('../../src/front-page/page', import.meta.url))

/** Trusted Types: only lit-html's policy may write HTML into the page. */
const policy = contentPolicy([], ["require-trusted-types-for 'script'", 'trusted-types lit-html'])
const headers = { ...pageHeaders, 'content-security-policy': policy, 'cache-control': 'no-cache' }

const setHeaders = (reply: FastifyReply) => void reply.headers(headers)

/** The page of each address: the front page for employees, and the page for the links of mails to clients. */
const pages: Readonly<Record<Audience, string>> = { expert: 'index.html', client: 'clients.html' }

/** Serves a page at `/`. The page for employees signs in as the public application `clientId`. */
export async function serveFrontPage(app: FastifyInstance, audience: Audience, clientId: string): Promise<void> {
  await app.register(fastifyStatic, {
    ...{ root: page, prefix: folder, index: false, dotfiles: 'ignore', acceptRanges: false },
    ...{ cacheControl: false, setHeaders },
  })
  app.get('/', (_request, reply) => reply.sendFile(pages[audience]))
  app.get(`${folder}/settings.json`, (_request, reply) => reply.headers(headers).send({ client_id: clientId }))
  app.get<{ Params: { library: string; '*': string } }>(`${folder}/modules/:library/*`, ({ params }, reply) => {
    const [library, file] = [libraries.get(params.library), params['*']]
    return library?.files.includes(file) ? reply.sendFile(file, library.root) : reply.callNotFound()
  })
}
