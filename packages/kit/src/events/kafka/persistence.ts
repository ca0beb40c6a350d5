import type { Logger } from '../../observability/index.js'
import type { Running } from '../transport.js'
import { pauseUnless, unlessAborted } from '../waiting.js'
import type { Subscribed } from './subscriber.js'

export interface Persistent extends Running {
  /** Resolves when the subscription has joined its group for the first time. */
  readonly joined: Promise<void>
  /** Whether it is a member of its group but receives no answers of the broker; see `Subscribed`. */
  silent(): boolean
  /** Whether it is a member of its group and receives answers of the broker; see `Subscribed`. */
  receiving(): boolean
}

const pauseMs = 1_000

/**
 * Keeps a subscription alive: retries `start` until it succeeds, and starts again whenever kafkajs gives a subscription up. So a service can start and serve
 * requests while Kafka is unavailable.
 */
export function persist(start: (stopping: AbortSignal) => Promise<Subscribed>, log: Logger): Persistent {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  let subscribed: Subscribed | undefined

  const keepSubscribed = async () => {
    while (!stopping.signal.aborted) {
      try {
        subscribed = await start(stopping.signal)
        first.resolve()
        throw await unlessAborted(stopping.signal, subscribed.ended)
      } catch (err) {
        if (stopping.signal.aborted) break
        log.warn({ err }, 'a subscription has failed and will be renewed')
        const previous = subscribed
        subscribed = undefined
        await previous?.stop().catch((err: unknown) => log.debug({ err }, 'a subscription that has ended could not be stopped'))
        await pauseUnless(stopping.signal, pauseMs)
      }
    }
    await subscribed?.stop()
  }
  const subscribing = keepSubscribed()

  return {
    joined: first.promise,
    silent: () => subscribed?.silent() ?? false,
    receiving: () => subscribed?.receiving() ?? false,
    async stop() {
      stopping.abort(new Error('The subscription was stopped.'))
      await subscribing
    },
  }
}
