import { sessionTopic } from '@caseway/protos/topics'
import { consumer } from '../events/index.js'
import type { EndedSessions } from './ended-sessions.js'

/** A consumer that adds each session that ends. Subscribe it as a broadcast, because every process has its own set. */
export const sessionConsumer = (ended: EndedSessions) =>
  consumer(sessionTopic, async ({ sessionId, change }) => {
    if (change?.$case === 'ended') ended.add(sessionId, change.value.endsAt ?? new Date(0))
  })
