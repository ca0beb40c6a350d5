/** The maximum number of streams of one session and of one person, on one copy of the service. */
const maxStreams = { session: 10, person: 50 } as const

interface Counted {
  readonly sessionId: string
  /** The key of the person (`subjectKey`). */
  readonly person: string
}

/** Counts open streams by session and by person. */
export function streamCounts() {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  const keysOf = ({ sessionId, person }: Counted) => ({ session: `session:${sessionId}`, person: `person:${person}` })

  return {
    /** Whether neither the session nor the person has reached the maximum. */
    hasRoom(stream: Counted): boolean {
      const keys = keysOf(stream)
      return countOf(keys.session) < maxStreams.session && countOf(keys.person) < maxStreams.person
    },

    add(stream: Counted): void {
      for (const key of Object.values(keysOf(stream))) counts.set(key, countOf(key) + 1)
    },

    remove(stream: Counted): void {
      for (const key of Object.values(keysOf(stream))) {
        if (countOf(key) > 1) counts.set(key, countOf(key) - 1)
        else counts.delete(key)
      }
    },

    get size() {
      return counts.size
    },
  }
}
