import type { SessionRepository } from './session.repository.js'

/** Ending sessions joins the transaction of what ends them: a ban and its effect are one. */
export const sessionService = ({ end, endAll, ended }: SessionRepository) => ({ end, endAll, ended })

export type SessionService = ReturnType<typeof sessionService>
