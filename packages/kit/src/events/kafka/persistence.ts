import type { Logger } from '../../observability/index.js'
import type { Running } from '../transport.js'
import { pauseUnless } from '../waiting.js'
import type { Subscribed } from './subscriber.js'

export interface Persistent extends Running {
  /** Resolves when the subscription takes part for the first time. */
  readonly joined: Promise<void>
  /** Whether it is a member and yet receives nothing. */
  silent(): boolean
  /** Whether it is a member and receives answers of the broker. */
  receiving(): boolean
}

const pauseMs = 1_000

/** Subscribes again and again until the broker lets it: a service starts, and serves, also while Kafka is away. */
export function persist(start: (stopping: AbortSignal) => Promise<Subscribed>, log: Logger): Persistent {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  let subscribed: Subscribed | undefined

  const trying = (async () => {
    while (!subscribed && !stopping.signal.aborted) {
      try {
        subscribed = await start(stopping.signal)
        first.resolve()
      } catch (err) {
        if (stopping.signal.aborted) return
        log.warn({ err }, 'a subscription does not take part yet')
        await pauseUnless(stopping.signal, pauseMs)
      }
    }
  })()

  return {
    joined: first.promise,
    silent: () => subscribed?.silent() ?? false,
    receiving: () => subscribed?.receiving() ?? false,
    async stop() {
      stopping.abort(new Error('The subscription was stopped.'))
      await trying
      await subscribed?.stop()
    },
  }
}
