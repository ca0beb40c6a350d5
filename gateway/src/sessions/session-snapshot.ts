export interface EndedSession {
  sessionId: string
  endsAt: Date
}

/** Where the sessions are known that ended before this process listened. */
export interface SessionSnapshot {
  pages(): AsyncIterable<EndedSession[]>
  close(): void
}
