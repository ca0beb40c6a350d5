import type { FastifyRequest } from 'fastify'
import { openPrefixes, streamPath, tokenPath, uploadPrefixes } from '../upstreams.js'

export function pathOf({ raw: { url = '' } }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

const isCall = (request: FastifyRequest, method: string, path: string) => request.method === method && pathOf(request) === path

export const asksForToken = (request: FastifyRequest) => isCall(request, 'POST', tokenPath)

/** Nobody knows who calls: a password is asked for, or set by the link of a mail. */
export const isOpen = (request: FastifyRequest) =>
  request.method === 'POST' && openPrefixes.includes(pathOf(request).split('/', 3)[2] ?? '')

/** Everybody may call, and the service says itself which web pages may. */
export const isPublic = ({ routeOptions: { config } }: FastifyRequest) => config.public === true

export const mayUpload = (request: FastifyRequest) => uploadPrefixes.some((prefix) => isCall(request, 'POST', `/rest/${prefix}`))

export const signsOut = (request: FastifyRequest) => isCall(request, 'DELETE', tokenPath)

export const isLiveStream = (request: FastifyRequest) => isCall(request, 'GET', streamPath)

/** A browser's EventSource cannot send a token; the service checks the ticket. */
export const bringsTicket = (request: FastifyRequest) =>
  isLiveStream(request) && request.headers.authorization === undefined && (request.query as { ticket?: unknown }).ticket !== undefined
