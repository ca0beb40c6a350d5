import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { tracerOf } from '../tracing/index.js'
import { blockedEvents } from './blocked.js'
import type { Consumer, ConsumerOptions } from './consumer-options.js'
import { keepDeadLetter } from './dead-letter.js'
import { flawOf } from './flaw.js'
import { isTemporary } from './temporary.js'
import type { EventRecord, EventRecords } from './transport.js'
import { LateFailure, tryOnce } from './try-once.js'

const defaultBackOffMs = [100, 400, 1000, 2000]
const defaultRetryMs = { first: 100, most: 30_000 }

/** As many handlers run at once: fewer than a pool has connections, so that they do not wait for one. Pauses between tries count for nothing. */
const handlersAtOnce = 8

/**
 * Brings records to a consumer until they are handled, or dead letters: several at once where the consumer takes a batch, and each alone where
 * that fails. What may succeed later is tried without end, everything else five times. Rejects when it could do neither, or was aborted: the
 * records have to come again.
 */
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

  /** One try. The topic is blocked from the moment in which it is late. */
  const attempt = async (consumer: Consumer, handle: () => Promise<void>, records: EventRecords, block: () => void) => {
    const [{ id, topic }] = records
    const onLate = () => {
      block()
      log.warn({ consumer: consumer.name, event: id, events: records.length }, 'a handler takes longer than it may')
    }
    try {
      await handlers(() => tryOnce(handle, records, { timeoutMs, onLate, handler }))
      metrics.consumerTries.inc({ topic, outcome: 'handled' }, records.length)
    } catch (err) {
      metrics.consumerTries.inc({ topic, outcome: 'failed' }, records.length)
      log.warn({ err, consumer: consumer.name, event: id, events: records.length }, 'events were not handled')
      throw err
    }
  }

  const deliverOne = async (consumer: Consumer, record: EventRecord, abandoned?: AbortSignal): Promise<void> => {
    const flaw = flawOf(record)
    if (flaw) return deadLetter(consumer, record, new Error(flaw))
    const failures = { temporary: 0, permanent: 0 }
    const { block, unblock } = blocked.blockable(record.topic)

    /** @returns the pause before the next try, or undefined when there is none */
    const pauseAfter = (err: unknown): number | undefined => {
      if (!(err instanceof LateFailure) && !isTemporary(err)) return backOffMs[failures.permanent++]
      block()
      return Math.min(retryMs.first * 2 ** failures.temporary++, retryMs.most)
    }

    try {
      for (;;) {
        try {
          return await attempt(consumer, () => consumer.handle(record), [record], block)
        } catch (err) {
          const pauseMs = pauseAfter(err)
          if (pauseMs === undefined) return await deadLetter(consumer, record, err)
          await pause(pauseMs, undefined, { signal: abandoned ? AbortSignal.any([stopping, abandoned]) : stopping })
        }
      }
    } finally {
      unblock()
    }
  }

  /** @returns whether they are handled */
  const deliverBatch = async (consumer: Consumer, records: EventRecords): Promise<boolean> => {
    const { handleBatch } = consumer
    if (!handleBatch || records.length === 1 || records.some(flawOf)) return false
    const { block, unblock } = blocked.blockable(records[0].topic)
    try {
      await attempt(consumer, () => handleBatch(records), records, block)
      return true
    } catch {
      return false
    } finally {
      unblock()
    }
  }

  return async (consumer: Consumer, records: EventRecords, abandoned?: AbortSignal): Promise<void> => {
    if (await deliverBatch(consumer, records)) return
    for (const record of records) await deliverOne(consumer, record, abandoned)
  }
}
