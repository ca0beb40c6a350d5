import type { FastifyInstance } from 'fastify'
import type { EndedSessions } from '../sessions/ended-sessions.js'
import { tokenPath } from '../upstreams.js'
import { pathOf } from './authenticate.js'

/** As long as an access token lives; the event says it exactly, but may come later than the caller's next request. */
const longestTokenMs = 900_000

/** A session that its owner has ended is over here before he is told so. */
export function noticeSignOut(app: FastifyInstance, ended: EndedSessions): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.method !== 'DELETE' || pathOf(request) !== tokenPath || !request.caller) return
    if (reply.statusCode >= 200 && reply.statusCode < 300) ended.add(request.caller.sessionId, new Date(Date.now() + longestTokenMs))
  })
}
