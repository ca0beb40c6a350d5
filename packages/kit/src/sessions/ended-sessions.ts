/** A set of ended sessions in memory. */
export interface EndedSessions {
  /** Adds a session, whose tokens must be refused. It is forgotten after `endsAt`, when all of them have expired. */
  add(sessionId: string, endsAt: Date): void
  has(sessionId: string): boolean
  readonly size: number
}

export interface EndedSessionsOptions {
  /** Called at every `add`, even for a known or expired session, to end its streams. */
  onEnd?: (sessionId: string) => void
  /** The clock, in milliseconds since the epoch, for tests. */
  now?: () => number
}

const sweepEveryMs = 60_000

/** Creates an empty set of ended sessions. */
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
