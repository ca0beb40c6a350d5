import type { SessionRepository } from './session.repository.js'

const maxPage = 1000

/** Ending sessions joins the transaction of what ends them: a ban and its effect are one. */
export const sessionService = ({ ended, ...sessions }: SessionRepository) => ({
  ...sessions,

  /** Whoever asks for no size gets the largest page. */
  ended: (after: string, limit: number) => ended(after, limit > 0 ? Math.min(limit, maxPage) : maxPage),
})

export type SessionService = ReturnType<typeof sessionService>
