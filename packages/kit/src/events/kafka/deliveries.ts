import type { Logger } from '../../observability/index.js'
import type { EventRecord, EventRecords, Subscription } from '../transport.js'
import { within } from '../waiting.js'

export interface DeliveriesOptions {
  handle: Subscription['handle']
  log: Logger
  /** How long a partition waits for a handler before it is paused, in milliseconds. */
  handlingTimeoutMs: number
}

export interface Placed {
  /** Topic, partition and offset: what is the same when the record comes again. */
  readonly place: string
  readonly record: EventRecord
}

/** `handled`, `failed`, or `late` when the handler has not ended in time: it runs on. */
export type Outcome = 'handled' | 'failed' | 'late'

interface Delivery {
  /** How many records it is of. */
  readonly size: number
  readonly ended: Promise<Exclude<Outcome, 'late'>>
  readonly abandon: () => void
}

/**
 * The handlers of one member of a group. kafkajs fetches nothing more for any partition while one of a batch is waited for, so that a handler
 * that takes long is left to itself and its partition is paused. When its records come again they meet the same run: no record has two.
 */
export function createDeliveries({ handle, log, handlingTimeoutMs }: DeliveriesOptions) {
  /** By the place of its first record. */
  const running = new Map<string, Delivery>()

  const begin = ([first, ...others]: EventRecords): Delivery => {
    const abandoned = new AbortController()
    const run = async () => {
      try {
        await handle([first, ...others], abandoned.signal)
        return 'handled'
      } catch (err) {
        log.warn({ err, event: first.id, others: others.length }, 'an event was not handled')
        return 'failed'
      }
    }
    const abandon = () => abandoned.abort(new Error('Another member of the group has the partition.'))
    return { size: others.length + 1, ended: run(), abandon }
  }

  /** Without those that a run has already, and what comes after them. */
  const notRunning = ([first, ...others]: readonly [Placed, ...Placed[]]): EventRecords => {
    const next = others.findIndex(({ place }) => running.has(place))
    return [first.record, ...others.slice(0, next < 0 ? others.length : next).map(({ record }) => record)]
  }

  return {
    /**
     * Hands over records of one partition.
     * @returns how it went, and with how many of them, from the first on
     */
    async deliver(records: readonly [Placed, ...Placed[]], stopping: AbortSignal): Promise<{ outcome: Outcome; size: number }> {
      const [{ place }] = records
      const delivery = running.get(place) ?? begin(notRunning(records))
      running.set(place, delivery)
      const outcome = await within(handlingTimeoutMs, stopping, delivery.ended, 'late' as const)
      if (outcome !== 'late') running.delete(place)
      return { outcome, size: delivery.size }
    },

    /** Resolves when the run that was late, and began with the record of this place, has ended. */
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
