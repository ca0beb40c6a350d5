import type { Logger } from '../../observability/index.js'
import type { EventRecord, Subscription } from '../transport.js'
import { within } from '../waiting.js'

export interface DeliveriesOptions {
  handle: Subscription['handle']
  batches?: Subscription['batches']
  log: Logger
  /**
   * How long a partition waits for a handler before it is paused, in milliseconds. Default 2,000: much less than a session, because between two
   * messages the group learns that this member is alive.
   */
  handlingTimeoutMs?: number
}

/** At most so many records are handled together. */
const mostTogether = 200

/** A record of a partition. */
export interface PartitionRecord {
  /** Topic, partition and offset: what is the same when the record comes again. */
  readonly position: string
  readonly offset: string
  readonly record: EventRecord
}

export type PartitionRecords = readonly [PartitionRecord, ...PartitionRecord[]]

/**
 * `handled`; `apart` when several could not be handled together, so that each has to come alone; `failed`; or `late` when the handler has not
 * ended in time: it runs on.
 */
export type Outcome = 'handled' | 'apart' | 'failed' | 'late'

interface Run {
  readonly records: PartitionRecords
  readonly ended: Promise<Exclude<Outcome, 'late'>>
  readonly abandon: () => void
}

/**
 * The handlers of one subscription, however often it begins anew. kafkajs fetches nothing more for any partition while one of a batch is waited
 * for, so that a handler that takes long is left to itself and its partition is paused. When its records come again they meet the same run: no
 * record has two.
 */
export function createDeliveries({ handle, batches, log, handlingTimeoutMs = 2_000 }: DeliveriesOptions) {
  /** By the position of each record. */
  const running = new Map<string, Run>()

  const begin = (records: PartitionRecords): Run => {
    const [{ record }, ...others] = records
    const abandoned = new AbortController()
    const work = async () => {
      try {
        if (batches && others.length > 0) return (await batches.handle([record, ...others.map((one) => one.record)])) ? 'handled' : 'apart'
        await handle(record, abandoned.signal)
        return 'handled'
      } catch (err) {
        log.warn({ err, event: record.id, others: others.length }, 'an event was not handled')
        return 'failed'
      }
    }
    const abandon = () => abandoned.abort(new Error('Another member of the group has the partition.'))
    const run = { records, ended: work(), abandon }
    for (const { position } of records) running.set(position, run)
    return run
  }

  const forget = (run: Run) => {
    for (const { position } of run.records) if (running.get(position) === run) running.delete(position)
  }

  /** Those before the first that a run has already. */
  const withoutRun = ([first, ...others]: PartitionRecords): PartitionRecords => {
    const known = others.findIndex(({ position }) => running.has(position))
    return [first, ...others.slice(0, known < 0 ? others.length : known)]
  }

  return {
    /** How many records of a topic may be handed over together. */
    atOnce: (topic: string): number => (batches?.topics.has(topic) ? mostTogether : 1),

    /**
     * Hands over records of one partition.
     * @returns how it went, and with which of them: some, from the first on
     */
    async deliver(records: PartitionRecords, stopping: AbortSignal): Promise<{ outcome: Outcome; records: PartitionRecords }> {
      const [{ position }] = records
      const run = running.get(position) ?? begin(withoutRun(records))
      const outcome = await within(handlingTimeoutMs, stopping, run.ended, 'late' as const)
      if (outcome === 'late') return { outcome, records }
      forget(run)
      // One that began with an earlier record does not count, for the records come from another offset now.
      return run.records[0].position === position ? { outcome, records: run.records } : { outcome: 'failed', records }
    },

    /** Resolves when the run of the record at this position, which was late, has ended. */
    ended: async (position: string): Promise<void> => void (await running.get(position)?.ended),

    /** The group has been assigned anew: others may have these records already, so that their tries end and their outcome is forgotten. */
    abandonAll(): void {
      for (const run of new Set(running.values())) {
        run.abandon()
        void run.ended.then(() => forget(run))
      }
    },
  }
}
