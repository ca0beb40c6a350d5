import type { FastifyRequest } from 'fastify'
import { streamPath, tokenPath } from '../upstreams.js'

export const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').replace(/\?.*$/s, '')

const isCall = (request: FastifyRequest, method: string, path: string) => request.method === method && pathOf(request) === path

export const asksForToken = (request: FastifyRequest) => isCall(request, 'POST', tokenPath)

export const signsOut = (request: FastifyRequest) => isCall(request, 'DELETE', tokenPath)

/** A browser's EventSource cannot send a token; the service checks the ticket. */
export const bringsTicket = (request: FastifyRequest) =>
  isCall(request, 'GET', streamPath) &&
  request.headers.authorization === undefined &&
  (request.query as { ticket?: unknown }).ticket !== undefined
