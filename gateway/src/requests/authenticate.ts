import type { Audience } from '@caseway/kit/caller'
import { tokenInvalid, tokenMissing } from '@caseway/kit/errors'
import type { TokenVerifier } from '@caseway/kit/tokens'
import type { FastifyRequest } from 'fastify'
import type { EndedSessions } from '../sessions/ended-sessions.js'
import { streamPath, tokenPath } from '../upstreams.js'

const bearer = /^Bearer +(.*)$/i

export interface Guard {
  readonly audience: Audience
  readonly verifier: TokenVerifier
  readonly ended: EndedSessions
}

/** The hook of everything that is passed on: a good token of a session that has not ended, but for the two ways to come without. */
export const authenticate =
  ({ audience, verifier, ended }: Guard) =>
  async (request: FastifyRequest) => {
    if (asksForToken(request) || bringsTicket(request)) return
    const token = bearer.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw tokenMissing()
    const caller = await verifier.verify(token, audience)
    if (ended.has(caller.sessionId)) throw tokenInvalid()
    request.caller = caller
    request.tracing.caller = caller
  }

export const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').replace(/\?.*$/s, '')

export const asksForToken = (request: FastifyRequest) => request.method === 'POST' && pathOf(request) === tokenPath

/** A browser's EventSource cannot send a token; the service checks the ticket. */
const bringsTicket = (request: FastifyRequest) =>
  request.method === 'GET' &&
  pathOf(request) === streamPath &&
  request.headers.authorization === undefined &&
  (request.query as { ticket?: unknown }).ticket !== undefined
