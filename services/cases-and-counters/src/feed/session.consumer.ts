import { consumer, defineTopic } from '@caseway/kit/events'
import { SessionEvent } from '@caseway/protos/auth/v1/events'
import type { FeedHub } from './feed-hub.service.js'

export const sessionTopic = defineTopic({ name: 'auth.session.v1', message: SessionEvent, key: ({ sessionId }) => sessionId })

/** Heard by every process, for each has streams of its own. */
export const sessionConsumer = (hub: FeedHub) =>
  consumer(sessionTopic, async ({ sessionId, change }) => {
    if (change?.$case === 'ended') hub.endSession(sessionId)
  })
