import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { tracerOf } from '../tracing/index.js'
import { blockedEvents } from './blocked.js'
import type { Consumer, ConsumerOptions } from './consumer-options.js'
import { keepDeadLetter } from './dead-letter.js'
import { invalidReason } from './invalid-reason.js'
import { isTemporary } from './temporary.js'
import type { EventRecord, EventRecords } from './transport.js'
import { LateFailure, tryOnce } from './try-once.js'

const defaultBackOffMs = [100, 400, 1000, 2000]
const defaultRetryMs = { first: 100, max: 30_000 }

/** How many handlers run at once: fewer than the pool has connections, so that they do not wait for one. A pause between tries occupies no place. */
const handlersAtOnce = 8

/** Runs the handlers of consumers, with retries, dead letters, metrics and traces. */
export function createDelivery(options: ConsumerOptions, stopping: AbortSignal) {
  const { log, metrics, db, backOffMs = defaultBackOffMs, retryMs = defaultRetryMs, tryTimeoutMs: timeoutMs } = options
  const handler = { tracer: tracerOf(metrics.service), system: options.transport.system, group: options.group }
  const handlers = pLimit(handlersAtOnce)
  const blocked = blockedEvents(metrics)

  const deadLetter = async (consumer: Consumer, record: EventRecord, err: unknown) => {
    if (db) await keepDeadLetter(db, consumer, record, err)
    log.error({ err, consumer: consumer.name, event: record.id }, 'an event became a dead letter')
    metrics.deadLetters.inc({ topic: record.topic })
  }

  /** Runs a handler once. @param block called when the handler still runs at its deadline */
  const attempt = async ({ name }: Consumer, records: EventRecords, handle: () => Promise<void>, block: () => void) => {
    const [{ topic, id }] = records
    const about = { consumer: name, event: id, events: records.length }
    const onLate = () => {
      block()
      log.warn(about, 'a handler exceeds its timeout')
    }
    try {
      await handlers(() => tryOnce(handle, records, { timeoutMs, onLate, handler }))
      metrics.consumerTries.inc({ topic, outcome: 'handled' }, records.length)
    } catch (err) {
      metrics.consumerTries.inc({ topic, outcome: 'failed' }, records.length)
      log.warn({ err, ...about }, 'a handler has failed')
      throw err
    }
  }

  return {
    /**
     * Passes a record to a consumer until it is handled or kept as a dead letter: after temporary errors without limit, after permanent ones five times.
     * Rejects when the dead letter could not be kept, or the retries were aborted: then the record must be delivered again.
     */
    async one(consumer: Consumer, record: EventRecord, abandoned?: AbortSignal): Promise<void> {
      const reason = invalidReason(record)
      if (reason) return deadLetter(consumer, record, new Error(reason))
      const failures = { temporary: 0, permanent: 0 }
      const { block, unblock } = blocked.blockable(record.topic)

      /** @returns the pause before the next try in milliseconds, or undefined when there are no tries left */
      const pauseAfter = (err: unknown): number | undefined => {
        if (!(err instanceof LateFailure) && !isTemporary(err)) return backOffMs[failures.permanent++]
        block()
        return Math.min(retryMs.first * 2 ** failures.temporary++, retryMs.max)
      }

      try {
        for (;;) {
          try {
            return await attempt(consumer, [record], () => consumer.handle(record), block)
          } catch (err) {
            const pauseMs = pauseAfter(err)
            if (pauseMs === undefined) return await deadLetter(consumer, record, err)
            await pause(pauseMs, undefined, { signal: abandoned ? AbortSignal.any([stopping, abandoned]) : stopping })
          }
        }
      } finally {
        unblock()
      }
    },

    /** Passes records to `handleBatch` of a consumer, once. @returns whether they were handled; false when it fails or takes no batches */
    async batch(consumer: Consumer, records: EventRecords): Promise<boolean> {
      const { handleBatch } = consumer
      if (!handleBatch || records.some(invalidReason)) return false
      const { block, unblock } = blocked.blockable(records[0].topic, records.length)
      try {
        await attempt(consumer, records, () => handleBatch(records), block)
        return true
      } catch {
        return false
      } finally {
        unblock()
      }
    },
  }
}
