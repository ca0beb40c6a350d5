import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Running } from '../events/index.js'
import type { Logger } from '../observability/index.js'
import type { EndedSessions } from './ended-sessions.js'
import type { SessionSource } from './session-source.js'

export interface FollowOptions {
  readonly ended: EndedSessions
  readonly source: SessionSource
  readonly log: Logger
  /** Whether events may currently be missing, because the broker does not answer. Default always false. */
  readonly eventsAway?: () => boolean
  /** The interval of the checks of `eventsAway`, and of the reads while it is true, in milliseconds. Default 5,000. */
  readonly everyMs?: number
}

export interface FollowedSessions extends Running {
  /** Whether the source has been read once, so that the absence of a session in the set means that it has not ended. */
  known(): boolean
  /** Resolves when the source has been read for the first time; never where it is stopped before. */
  readonly firstRead: Promise<void>
}

/**
 * Adds to `ended` the sessions that the events of `auth.session.v1` cannot tell. It reads the source at once, retrying until it answers; every `everyMs` while
 * `eventsAway` is true; and once afterwards. Subscribe to the events first, so that no session is lost between the first read and the subscription.
 */
export function followEndedSessions(options: FollowOptions): FollowedSessions {
  const { ended, source, log, eventsAway = () => false, everyMs = 5_000 } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const firstRead = Promise.withResolvers<void>()
  let known = false

  const read = async () => {
    for await (const page of source.pages()) for (const { sessionId, endsAt } of page) ended.add(sessionId, endsAt)
  }
  const tries = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: everyMs, randomize: true, signal }
  const readUntilAnswered = () =>
    pRetry(read, { ...tries, onFailedAttempt: ({ error }) => log.warn({ err: error }, 'the ended sessions could not be fetched') })

  const follow = async () => {
    for (let wasAway = true; ; ) {
      const away = eventsAway()
      if (away || wasAway) {
        await readUntilAnswered()
        known = true
        firstRead.resolve()
      }
      wasAway = away
      await pause(everyMs, undefined, { signal })
    }
  }
  const following = follow().catch((err: unknown) => log.debug({ err }, 'the ended sessions are no longer followed'))
  return {
    known: () => known,
    firstRead: firstRead.promise,
    stop() {
      stopping.abort()
      return following
    },
  }
}
