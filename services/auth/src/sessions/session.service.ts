import type { SessionRepository } from './session.repository.js'

const maxPage = 1000

/** Sessions are ended in the running transaction, so that for instance a ban and its effect are one. */
export const sessionService = ({ ended, ...sessions }: SessionRepository) => ({
  ...sessions,

  /** A request without a page size gets the largest page. */
  ended: (after: string, limit: number) => ended(after, limit > 0 ? Math.min(limit, maxPage) : maxPage),
})

export type SessionService = ReturnType<typeof sessionService>
