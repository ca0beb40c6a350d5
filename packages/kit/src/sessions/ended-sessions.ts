/** The sessions that have ended, in the memory of one process. */
export interface EndedSessions {
  /** No token of the session is good any more; after `endsAt` they have all expired by themselves, and the session is forgotten. */
  add(sessionId: string, endsAt: Date): void
  has(sessionId: string): boolean
  readonly size: number
}

export interface EndedSessionsOptions {
  /** Called at every `add`, also for a session that is known or already forgotten: what belongs to the session must end now. */
  onEnd?: (sessionId: string) => void
  /** Milliseconds since the epoch; a test's way to let time pass. */
  now?: () => number
}

const sweepEveryMs = 60_000

/** An empty set of ended sessions. It holds each as long as an access token of the session may be unexpired, and no longer. */
export function endedSessions({ onEnd = () => undefined, now = Date.now }: EndedSessionsOptions = {}): EndedSessions {
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
      onEnd(sessionId)
    },
    has: (sessionId) => (endsAt.get(sessionId) ?? 0) > now(),
    get size() {
      return endsAt.size
    },
  }
}
