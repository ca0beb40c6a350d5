import { SessionEvent } from '@caseway/protos/auth/v1/events'
import { consumer, defineTopic } from '../events/index.js'
import type { EndedSessions } from './ended-sessions.js'

/** What auth publishes about sessions. */
export const sessionTopic = defineTopic({ name: 'auth.session.v1', message: SessionEvent, key: ({ sessionId }) => sessionId })

/** Adds each session that ends. Subscribe it as a broadcast: every process keeps its own set. */
export const sessionConsumer = (ended: EndedSessions) =>
  consumer(sessionTopic, async ({ sessionId, change }) => {
    if (change?.$case === 'ended') ended.add(sessionId, change.value.endsAt ?? new Date(0))
  })
