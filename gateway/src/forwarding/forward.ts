import type { IncomingHttpHeaders } from 'node:http'
import { freeWritten } from '@caseway/kit/buffers'
import type { Audience } from '@caseway/kit/caller'
import { AppError, unavailable } from '@caseway/kit/errors'
import { scoped, send } from '@caseway/kit/http'
import type { ServiceName } from '@caseway/registry'
import replyFrom, { type FastifyReplyFromHooks, type FastifyReplyFromOptions } from '@fastify/reply-from'
import type { FastifyContextConfig, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { bodyCutOff, gatewayTimeout, UpstreamTooSlow } from '../errors.js'
import { methods } from '../requests/methods.js'
import { pathOf } from '../requests/targets.js'
import { publicUpstreams, streamPath, uploadPrefixes, upstreams } from '../upstreams.js'
import { type Answer, BufferedBody } from './answer.js'
import { answerHeaders, publicAnswerHeaders, requestHeaders } from './headers.js'
import { liveStreams } from './live-streams.js'
import { readBodies, sendText } from './short-bodies.js'
import type { Upstream } from './upstream.client.js'

export interface Forwarding {
  readonly audience: Audience
  readonly services: Readonly<Record<ServiceName, Upstream>>
  /** The service of the live stream, over connections of its own. */
  readonly streams: Upstream
}

/** Forwards all paths of the routing table of one address. */
export function forward(app: FastifyInstance, { audience, services, streams }: Forwarding): void {
  readBodies(app)
  sendText(app)
  for (const [prefix, name] of Object.entries(upstreams[audience])) {
    const longLived = uploadPrefixes.includes(prefix)
    const config = { countedAs: name, longLived }
    addRoutes(app, services[name], { paths: [`/rest/${prefix}`, `/rest/${prefix}/*`], servicePrefix: `/${audience}`, config })
  }
  for (const [segment, name] of Object.entries(publicUpstreams[audience])) {
    // The service answers preflights itself, and its CORS headers are passed on.
    const config = { countedAs: name, public: true, cors: false as const }
    const open = { method: [...methods, 'OPTIONS'], answerHeaders: publicAnswerHeaders, config }
    addRoutes(app, services[name], { paths: [`/${segment}/*`], servicePrefix: `/${audience}`, ...open })
  }
  const sendStream = liveStreams(app)
  const send: Send = (reply, body) => (body instanceof BufferedBody ? sendBuffered(reply, body) : sendStream(reply, body))
  addRoutes(app, streams, { paths: [streamPath], servicePrefix: `/${audience}`, method: ['GET'], send })
}

/** Forwards the JWKS of auth, which needs no token. */
export const forwardKeys = (app: FastifyInstance, auth: Upstream): void =>
  addRoutes(app, auth, { paths: ['/.well-known/jwks.json'], servicePrefix: '', method: ['GET', 'HEAD'] })

type Send = (reply: FastifyReply, body: Answer['body']) => unknown

interface Target {
  readonly paths: readonly string[]
  /** The path prefix in the service. */
  readonly servicePrefix: string
  readonly method?: HTTPMethods[]
  readonly send?: Send
  readonly answerHeaders?: typeof answerHeaders
  readonly config?: FastifyContextConfig
}

const sendAnswer: Send = (reply, body) => {
  if (body instanceof BufferedBody) return sendBuffered(reply, body)
  freeWritten(reply.raw)
  return reply.send(body)
}

/** A 304 has no content, and says neither type nor length of one (RFC 9110 15.4.5). */
const sendBuffered = (reply: FastifyReply, { bytes }: BufferedBody) => reply.send(reply.statusCode === 304 ? undefined : bytes)

function addRoutes(
  app: FastifyInstance,
  upstream: Upstream,
  { paths, servicePrefix, method = [...methods], send = sendAnswer, answerHeaders: headersOf = answerHeaders, config = {} }: Target,
): void {
  const options: FastifyReplyFromHooks = {
    rewriteRequestHeaders: (request, headers) => requestHeaders(request as FastifyRequest, headers as IncomingHttpHeaders),
    rewriteHeaders: (headers) => headersOf(headers as IncomingHttpHeaders),
    onError: (reply, { error }) => refuse(reply as FastifyReply, error.cause),
    // By default, `@fastify/reply-from` repeats a request ten times when the service answers 503.
    retryDelay: () => null,
    onResponse: (_request, reply, { stream }) => send(keepOpen(reply as FastifyReply), stream as unknown as Answer['body']),
  }
  const routes: FastifyPluginAsync = async (scope) => {
    const client = upstream as unknown as NonNullable<FastifyReplyFromOptions['undici']>
    await scope.register(replyFrom, { base: upstream.url, undici: client, disableRequestLogging: true })
    // Returns nothing, because Fastify's handling of a returned reply costs more. `refuseUnknown` has already checked the path.
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      void reply.from(servicePrefix + pathOf(request), { ...options, ...bodyOf(request) })
    for (const url of paths) scope.route({ method, url, config, handler })
  }
  app.register(scoped(paths.join(), routes))
}

/**
 * Keeps the connection of a caller who is still sending. By default, `@fastify/reply-from` closes it when the service answers before the end of the
 * request, and the caller may not be able to read the answer (RFC 9112 9.6).
 */
const keepOpen = (reply: FastifyReply): FastifyReply => (reply.hasHeader('connection') ? reply.removeHeader('connection') : reply)

/** The body, where it was read as a whole. `@fastify/reply-from` streams any other body by itself. */
const bodyOf = ({ body, headers }: FastifyRequest) =>
  Buffer.isBuffer(body) ? { body, contentType: headers['content-type'] as string } : {}

function refuse(reply: FastifyReply, cause: unknown): void {
  const { raw } = reply.request
  if (raw.destroyed && !raw.complete) send(reply, bodyCutOff)
  else if (cause instanceof UpstreamTooSlow) send(reply, gatewayTimeout)
  else reply.send(cause instanceof AppError ? cause : unavailable(cause))
}
