import { consumer, defineTopic } from '@caseway/kit/events'
import { SessionEvent } from '@caseway/protos/auth/v1/events'
import type { EndedSessions } from './ended-sessions.js'

export const sessionTopic = defineTopic({ name: 'auth.session.v1', message: SessionEvent, key: ({ sessionId }) => sessionId })

/** Heard by every process: each keeps the ended sessions for itself. */
export const sessionConsumer = (ended: EndedSessions) =>
  consumer(sessionTopic, async ({ sessionId, change }) => {
    if (change?.$case === 'ended' && change.value.endsAt) ended.add(sessionId, change.value.endsAt)
  })
