import type { Audience } from '@caseway/kit/caller'
import { tokenInvalid, tokenMissing } from '@caseway/kit/errors'
import type { TokenVerifier } from '@caseway/kit/tokens'
import type { FastifyRequest } from 'fastify'
import type { EndedSessions } from '../sessions/ended-sessions.js'
import { asksForToken, bringsTicket } from './targets.js'

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
