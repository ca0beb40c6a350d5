import type { Logger } from '../../observability/index.js'
import type { EventRecord, Subscription } from '../transport.js'
import { within } from '../waiting.js'

export interface DeliveriesOptions {
  handle: Subscription['handle']
  log: Logger
  /** How long a partition waits for a handler before it is paused, in milliseconds. */
  handlingTimeoutMs: number
}

/** `handled`, `failed`, or `late` when the handler has not ended in time: it runs on. */
export type Outcome = 'handled' | 'failed' | 'late'

interface Delivery {
  readonly ended: Promise<Exclude<Outcome, 'late'>>
  readonly abandon: () => void
}

/**
 * The handlers of one member of a group. kafkajs fetches nothing more for any partition while one of a batch is waited for, so that a handler
 * that takes long is left to itself and its partition is paused. When the record comes again it meets the same run: no record has two.
 */
export function createDeliveries({ handle, log, handlingTimeoutMs }: DeliveriesOptions) {
  const running = new Map<string, Delivery>()

  const begin = (record: EventRecord): Delivery => {
    const abandoned = new AbortController()
    const run = async () => {
      try {
        await handle(record, abandoned.signal)
        return 'handled'
      } catch (err) {
        log.warn({ err, event: record.id }, 'an event was not handled')
        return 'failed'
      }
    }
    return { ended: run(), abandon: () => abandoned.abort(new Error('Another member of the group has the partition.')) }
  }

  return {
    /** @param place topic, partition and offset: what is the same when the record comes again */
    async deliver(place: string, record: EventRecord, stopping: AbortSignal): Promise<Outcome> {
      const delivery = running.get(place) ?? begin(record)
      running.set(place, delivery)
      const outcome = await within(handlingTimeoutMs, stopping, delivery.ended, 'late' as const)
      if (outcome !== 'late') running.delete(place)
      return outcome
    },

    /** Resolves when the run that was late has ended. */
    ended: async (place: string): Promise<void> => void (await running.get(place)?.ended),

    /** The group has been assigned anew: others may have these records already, so that their tries end and their outcome is forgotten. */
    abandonAll(): void {
      for (const [place, { ended, abandon }] of running) {
        abandon()
        void ended.then(() => running.delete(place))
      }
    },
  }
}
