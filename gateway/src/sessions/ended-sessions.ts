export interface EndedSessions {
  /** No token of the session is good any more; after `endsAt` they have all expired by themselves. */
  add(sessionId: string, endsAt: Date): void
  has(sessionId: string): boolean
  readonly size: number
}

const sweepEveryMs = 60_000

/**
 * The sessions that have ended while an access token of theirs may still be unexpired.
 * @param now milliseconds since the epoch; a test's way to let time pass
 */
export function endedSessions(now: () => number = Date.now): EndedSessions {
  const endsAt = new Map<string, number>()
  let sweepAt = now() + sweepEveryMs

  function sweep(): void {
    if (now() < sweepAt) return
    sweepAt = now() + sweepEveryMs
    for (const [sessionId, time] of endsAt) if (time <= now()) endsAt.delete(sessionId)
  }

  return {
    add(sessionId, end) {
      sweep()
      const time = Math.max(end.getTime(), endsAt.get(sessionId) ?? 0)
      if (time > now()) endsAt.set(sessionId, time)
    },
    has: (sessionId) => (endsAt.get(sessionId) ?? 0) > now(),
    get size() {
      return endsAt.size
    },
  }
}
