import type { Audience, Caller } from '@caseway/kit/caller'
import { tokenInvalid, tokenMissing } from '@caseway/kit/errors'
import type { EndedSessions } from '@caseway/kit/sessions'
import { bearerToken, type TokenVerifier } from '@caseway/kit/tokens'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { CallerLimits } from './caller-limits.js'
import { hasTicket, isOpen, isPublic, isTokenRequest } from './targets.js'

export interface Guard {
  readonly audience: Audience
  readonly verifier: TokenVerifier
  readonly ended: EndedSessions
  readonly limits: CallerLimits
}

/**
 * The hook of all forwarded requests: requires a valid token of a session that has not ended, except for public paths, token requests, stream tickets
 * and open prefixes; and applies the limits of the caller.
 */
export const authenticate = ({ audience, verifier, ended, limits }: Guard): onRequestHookHandler => {
  const admit = (request: FastifyRequest, caller: Caller) => {
    if (ended.has(caller.sessionId)) throw tokenInvalid()
    request.caller = caller
    request.tracing.caller = caller
  }
  const check = (request: FastifyRequest): Promise<void> | undefined => {
    if (isPublic(request) || isTokenRequest(request) || hasTicket(request) || isOpen(request)) return undefined
    const token = bearerToken(request.headers)
    if (token === undefined) throw tokenMissing()
    const verified = verifier.verify(token, audience)
    if (verified instanceof Promise) return verified.then((caller) => admit(request, caller))
    admit(request, verified)
    return undefined
  }
  // Most tokens are cached by the verifier, so that no promise is needed.
  return (request, reply, done) => {
    // Refused requests count as well, for the address.
    const decide = (error?: Error) => limits(request, reply, (refused) => done(refused ?? error))
    try {
      const later = check(request)
      if (later) later.then(() => decide(), decide)
      else decide()
    } catch (error) {
      decide(error as Error)
    }
  }
}
