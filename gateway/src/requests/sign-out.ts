import type { EndedSessions } from '@caseway/kit/sessions'
import { bearerToken, tokenLifeMs } from '@caseway/kit/tokens'
import type { FastifyInstance } from 'fastify'
import { isSignOut } from './targets.js'

/**
 * Marks a session as ended before its owner gets the answer of a sign-out. Until the event with the exact time arrives, the entry is kept for the
 * lifetime of the token that signed out, counted from now: all tokens have the same lifetime.
 */
export function noticeSignOut(app: FastifyInstance, ended: EndedSessions): void {
  app.addHook('onSend', (request, { statusCode }, _payload, done) => {
    if (isSignOut(request) && statusCode >= 200 && statusCode < 300) {
      ended.add(request.caller.sessionId, new Date(Date.now() + tokenLifeMs(bearerToken(request.headers) as string)))
    }
    done()
  })
}
