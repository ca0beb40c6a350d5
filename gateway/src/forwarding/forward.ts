import type { Audience } from '@caseway/kit/caller'
import { AppError, unavailable } from '@caseway/kit/errors'
import { send } from '@caseway/kit/http'
import type { ServiceName } from '@caseway/registry'
import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayTimeout, UpstreamTooSlow } from '../errors.js'
import { methods } from '../requests/methods.js'
import { streamPath, upstreams } from '../upstreams.js'
import { type Answer, WholeBody } from './answer.js'
import { answerHeaders, requestHeaders } from './headers.js'
import { liveStreams } from './live-streams.js'
import type { Upstream } from './upstream.client.js'

export interface Forwarding {
  readonly audience: Audience
  readonly services: Readonly<Record<ServiceName, Upstream>>
  /** Where the live stream comes from, over connections that nothing else needs. */
  readonly streams: Upstream
}

/** Passes on what the routing table of the address names. */
export function forward(app: FastifyInstance, { audience, services, streams }: Forwarding): void {
  for (const [prefix, name] of Object.entries(upstreams[audience])) {
    app.register(httpProxy, {
      ...to(services[name]),
      prefix: `/rest/${prefix}`,
      rewritePrefix: `/${audience}/rest/${prefix}`,
      httpMethods: [...methods],
    })
  }
  const passOn = liveStreams(app)
  app.register(httpProxy, {
    ...to(streams, (reply, body) => (body instanceof WholeBody ? reply.send(body.bytes) : passOn(reply, body))),
    prefix: streamPath,
    rewritePrefix: `/${audience}${streamPath}`,
    httpMethods: ['GET'],
    routes: ['/'],
  })
}

/** Passes on one public address that is the same for everybody. */
export function forwardKeys(app: FastifyInstance, auth: Upstream): void {
  const path = '/.well-known/jwks.json'
  app.register(httpProxy, { ...to(auth), prefix: path, rewritePrefix: path, httpMethods: ['GET'], routes: ['/'] })
}

type Send = (reply: FastifyReply, body: Answer['body']) => unknown

const sendOn: Send = (reply, body) => reply.send(body instanceof WholeBody ? body.bytes : body)

const to = (upstream: Upstream, send = sendOn): FastifyHttpProxyOptions => ({
  upstream: upstream.url,
  undici: upstream as unknown as FastifyHttpProxyOptions['undici'],
  disableRequestLogging: true,
  replyOptions: {
    rewriteRequestHeaders: (request, headers) => requestHeaders(request as FastifyRequest, headers),
    rewriteHeaders: (headers) => answerHeaders(headers),
    onError: (reply, { error }) => refuse(reply as FastifyReply, error.cause),
    // The proxy would ask a service that says 503 ten times more.
    retryDelay: () => null,
    onResponse: (_request, reply, { stream }) => send(reply as FastifyReply, stream as unknown as Answer['body']),
  },
})

function refuse(reply: FastifyReply, cause: unknown): void {
  if (cause instanceof UpstreamTooSlow) send(reply, gatewayTimeout)
  else reply.send(cause instanceof AppError ? cause : unavailable(cause))
}
