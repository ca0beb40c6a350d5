import type { Running } from '@caseway/kit/events'
import type { Logger } from '@caseway/kit/observability'
import pRetry from 'p-retry'
import type { EndedSessions } from './ended-sessions.js'
import type { SessionSnapshot } from './session-snapshot.js'

const forever = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 10_000, randomize: true }

/**
 * Learns in the background which sessions ended before, trying until the owner answers. Subscribe first: then no event falls between
 * the snapshot and the subscription.
 */
export function fillEndedSessions(ended: EndedSessions, snapshot: SessionSnapshot, log: Logger): Running {
  const stopping = new AbortController()
  const fill = async () => {
    for await (const page of snapshot.pages()) for (const { sessionId, endsAt } of page) ended.add(sessionId, endsAt)
  }
  const filled = pRetry(fill, {
    ...forever,
    signal: stopping.signal,
    onFailedAttempt: ({ error }) => log.warn({ err: error }, 'the ended sessions could not be fetched'),
  }).catch((err) => log.debug({ err }, 'stopped before the ended sessions were known'))
  return {
    stop() {
      stopping.abort()
      return filled
    },
  }
}
