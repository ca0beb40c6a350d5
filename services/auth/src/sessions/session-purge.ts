import type { Running } from '@caseway/kit/events'
import type { Logger } from '@caseway/kit/observability'
import type { SessionService } from './session.service.js'

const everyMs = 3_600_000

/** Removes sessions that nobody can use any more, at the start and each hour; any number of copies may do it. */
export function purgeSessions({ purge }: SessionService, log: Logger): Running {
  let running = Promise.resolve()
  const purgeNow = () => {
    running = purge().then(
      () => undefined,
      (err: unknown) => log.warn({ err }, 'old sessions could not be removed'),
    )
  }
  purgeNow()
  const timer = setInterval(purgeNow, everyMs).unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}
