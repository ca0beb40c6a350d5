import type { FastifyRequest } from 'fastify'
import { openPrefixes, streamPath, tokenPath, uploadPrefixes } from '../upstreams.js'

export function pathOf({ raw: { url = '' } }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

const isCall = (request: FastifyRequest, method: string, path: string) => request.method === method && pathOf(request) === path

export const isTokenRequest = (request: FastifyRequest) => isCall(request, 'POST', tokenPath)

/** A POST without a token: a password reset is requested, or the link of a mail is redeemed. */
export const isOpen = (request: FastifyRequest) =>
  request.method === 'POST' && openPrefixes.includes(pathOf(request).split('/', 3)[2] ?? '')

/** A public path: it needs no token, and the service decides by CORS which web pages may call it. */
export const isPublic = ({ routeOptions: { config } }: FastifyRequest) => config.public === true

export const mayUpload = (request: FastifyRequest) => uploadPrefixes.some((prefix) => isCall(request, 'POST', `/rest/${prefix}`))

export const isSignOut = (request: FastifyRequest) => isCall(request, 'DELETE', tokenPath)

export const isLiveStream = (request: FastifyRequest) => isCall(request, 'GET', streamPath)

/** EventSource in browsers cannot send a token, so a stream may be opened with a ticket, which the service checks. */
export const hasTicket = (request: FastifyRequest) =>
  isLiveStream(request) && request.headers.authorization === undefined && (request.query as { ticket?: unknown }).ticket !== undefined
