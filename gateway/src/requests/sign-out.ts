import type { EndedSessions } from '@caseway/kit/sessions'
import type { FastifyInstance } from 'fastify'
import { signsOut } from './targets.js'

/** As long as an access token lives; the event says it exactly, but may come later than the caller's next request. */
const longestTokenMs = 900_000

/** A session that its owner has ended is over here before he is told so. */
export function noticeSignOut(app: FastifyInstance, ended: EndedSessions): void {
  app.addHook('onSend', (request, { statusCode }, _payload, done) => {
    if (signsOut(request) && statusCode >= 200 && statusCode < 300) {
      ended.add(request.caller.sessionId, new Date(Date.now() + longestTokenMs))
    }
    done()
  })
}
