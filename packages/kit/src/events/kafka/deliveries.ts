import type { Logger } from '../../observability/index.js'
import type { EventRecord, Subscription } from '../transport.js'
import { within } from '../waiting.js'

export interface DeliveriesOptions {
  handle: Subscription['handle']
  batches?: Subscription['batches']
  log: Logger
  /**
   * How long a handler may run before its partition is paused, in milliseconds. Default 2,000: much less than the session timeout, because heartbeats are
   * sent between two messages.
   */
  handlingTimeoutMs?: number
}

/** The most records that are handled together. */
const maxTogether = 200

/** A record of a partition. */
export interface PartitionRecord {
  /** Topic, partition and offset, which are the same when the record is delivered again. */
  readonly position: string
  readonly offset: string
  readonly record: EventRecord
}

export type PartitionRecords = readonly [PartitionRecord, ...PartitionRecord[]]

/**
 * The result of a delivery: `handled`, `failed`, `apart` when several records could not be handled together and must be delivered one by one, or `late` when
 * the handler is still running.
 */
export type Outcome = 'handled' | 'apart' | 'failed' | 'late'

/** A running call of a handler. */
interface Run {
  readonly records: PartitionRecords
  readonly ended: Promise<Exclude<Outcome, 'late'>>
  readonly abandon: () => void
}

/**
 * The running handlers of one subscription, also across reconnects. While kafkajs waits for the handler of one partition, it fetches nothing for the others.
 * Therefore a slow handler is not awaited: its partition is paused, and when its records are delivered again they join the running call, so that no
 * record is handled twice at the same time.
 */
export function createDeliveries({ handle, batches, log, handlingTimeoutMs = 2_000 }: DeliveriesOptions) {
  /** Runs by the position of each of their records. */
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

  /** The records before the first one that belongs to a run already; at least the first record. */
  const withoutRun = ([first, ...others]: PartitionRecords): PartitionRecords => {
    const known = others.findIndex(({ position }) => running.has(position))
    return [first, ...others.slice(0, known < 0 ? others.length : known)]
  }

  return {
    /** The most records of a topic that may be passed to `deliver` together. */
    atOnce: (topic: string): number => (batches?.topics.has(topic) ? maxTogether : 1),

    /**
     * Delivers consecutive records of one partition to the handler.
     * @returns the outcome, and the records that it is about: the first one and maybe some of the following
     */
    async deliver(records: PartitionRecords, stopping: AbortSignal): Promise<{ outcome: Outcome; records: PartitionRecords }> {
      const [{ position }] = records
      const run = running.get(position) ?? begin(withoutRun(records))
      const outcome = await within(handlingTimeoutMs, stopping, run.ended, 'late' as const)
      if (outcome === 'late') return { outcome, records }
      forget(run)
      // One that began with an earlier record does not count: the partition was rewound to another offset meanwhile.
      return run.records[0].position === position ? { outcome, records: run.records } : { outcome: 'failed', records }
    },

    /** Resolves when the run of the record at this position has ended. */
    ended: async (position: string): Promise<void> => void (await running.get(position)?.ended),

    /** Ends the retries of all runs, and forgets their outcomes, after a rebalance: other members may have their partitions. */
    abandonAll(): void {
      for (const run of new Set(running.values())) {
        run.abandon()
        void run.ended.then(() => forget(run))
      }
    },
  }
}
