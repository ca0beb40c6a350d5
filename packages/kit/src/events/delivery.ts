import { setTimeout as pause } from 'node:timers/promises'
import { tracerOf } from '../tracing/index.js'
import type { Consumer, ConsumerOptions } from './consumer.js'
import { keepDeadLetter } from './dead-letter.js'
import type { EventRecord } from './transport.js'
import { tryOnce } from './try-once.js'

const defaultBackOffMs = [100, 400, 1000, 2000]

/** Brings a record to a consumer, or to the dead letters. Rejects when neither was possible: it has to come again. */
export function createDelivery(options: ConsumerOptions, stopping: AbortSignal) {
  const { log, metrics, db, backOffMs = defaultBackOffMs, tryTimeoutMs } = options
  const pauses = [0, ...backOffMs]
  const taker = { tracer: tracerOf(metrics.service), system: options.transport.system, group: options.group }

  const giveUp = async (consumer: Consumer, record: EventRecord, err: unknown) => {
    if (db) await keepDeadLetter(db, consumer, record, err)
    log.error({ err, consumer: consumer.name, event: record.id }, 'an event was given up')
    metrics.deadLetters.inc({ topic: record.topic })
  }

  return async (consumer: Consumer, record: EventRecord): Promise<void> => {
    const { topic, id } = record
    let failure: unknown
    for (const [index, pauseMs] of pauses.entries()) {
      if (pauseMs) await pause(pauseMs, undefined, { signal: stopping })
      try {
        await tryOnce(consumer, record, tryTimeoutMs, taker)
        return metrics.consumerTries.inc({ topic, outcome: 'taken' })
      } catch (err) {
        failure = err
        metrics.consumerTries.inc({ topic, outcome: 'failed' })
        log.warn({ err, consumer: consumer.name, event: id, try: index + 1 }, 'an event was not taken')
      }
    }
    await giveUp(consumer, record, failure)
  }
}
