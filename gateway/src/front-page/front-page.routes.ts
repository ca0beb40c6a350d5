import { fileURLToPath } from 'node:url'
import type { Audience } from '@caseway/kit/caller'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { contentPolicy, pageHeaders } from '../pages.js'
import { libraries } from './libraries.js'

const folder = '/front-page'
/** From `src` and from `dist` it is the same folder: the browser gets what we wrote. */
const page = fileURLToPath(new URL('../../src/front-page/page', import.meta.url))

/** Text comes into the page by lit-html's own policy alone (Trusted Types). */
const policy = contentPolicy([], ["require-trusted-types-for 'script'", 'trusted-types lit-html'])
const headers = { ...pageHeaders, 'content-security-policy': policy, 'cache-control': 'no-cache' }

const setHeaders = (reply: FastifyReply) => void reply.headers(headers)

/** The page of each address: one shows the platform in a browser, the other does what the links of mails to clients are for. */
const pages: Readonly<Record<Audience, string>> = { expert: 'index.html', client: 'clients.html' }

/** A page at `/`. That for employees signs in as the public application `clientId`. */
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
