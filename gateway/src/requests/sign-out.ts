import type { EndedSessions } from '@caseway/kit/sessions'
import { bearerToken, tokenLifeMs } from '@caseway/kit/tokens'
import type { FastifyInstance } from 'fastify'
import { signsOut } from './targets.js'

/**
 * A session that its owner has ended is over here before they get the answer. Until the event says exactly when, its last token is taken
 * to live as long from now on as the one that signs out did from its beginning: all are issued for the same time.
 */
export function noticeSignOut(app: FastifyInstance, ended: EndedSessions): void {
  app.addHook('onSend', (request, { statusCode }, _payload, done) => {
    if (signsOut(request) && statusCode >= 200 && statusCode < 300) {
      ended.add(request.caller.sessionId, new Date(Date.now() + tokenLifeMs(bearerToken(request.headers) as string)))
    }
    done()
  })
}
