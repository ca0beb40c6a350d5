import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { tracerOf } from '../tracing/index.js'
import { createLowWatermark } from './low-watermark.js'
import { relayChannel } from './outbox.js'
import { deletePublished, type OutboxEvent, readUnpublished } from './outbox-rows.js'
import { createPendingEvents } from './pending-events.js'
import type { RelayOptions } from './relay-options.js'
import { traceSending } from './spans.js'
import type { Pending } from './transport.js'
import { createWakeSignal, pauseUnless, unlessAborted } from './waiting.js'

const backOffMs = { first: 200, max: 5000 }

/** The factor by which `gatherMs` grows after a publication of more than one event. */
const busyFactor = 5

/**
 * Publishes the events of the outbox, including those that are added later, until `over` is aborted. Aborting `givingUp` abandons a running publication: its
 * events stay in the outbox.
 */
export async function lead(connection: pg.Client, options: RelayOptions, over: AbortSignal, givingUp: AbortSignal): Promise<void> {
  const { log, pollMs = 3000, gatherMs = 10, batch = 100 } = options
  const wakeSignal = createWakeSignal()
  const lowWatermark = createLowWatermark(options.lowWatermark)
  const pending = createPendingEvents(log, wakeSignal.notify)
  connection.on('notification', wakeSignal.notify)
  await connection.query(`LISTEN ${relayChannel}`)
  let failures = 0

  /** @returns how many events it read and published */
  const publishNext = async (): Promise<number | 'failed'> => {
    await finish(pending.handled())
    if (pending.failed()) return 'failed'
    await lowWatermark.look(connection)
    const events = await readUnpublished(connection, { from: lowWatermark.next(), limit: batch, without: pending.keys() })
    if (events.length === 0) return 0
    const unfinished = await publish(events, options, givingUp)
    if (!unfinished) return 'failed'
    await finish(pending.add(events, unfinished))
    return events.length
  }
  const finish = async (events: readonly OutboxEvent[]) => {
    if (events.length === 0) return
    await deletePublished(
      connection,
      events.map(({ id }) => id),
    )
    for (const { id, record } of events) {
      lowWatermark.published(id)
      options.metrics.outboxPublished.inc({ topic: record.topic })
    }
  }

  while (!over.aborted) {
    const published = await publishNext()
    failures = published === 'failed' ? failures + 1 : 0
    if (published === 'failed') await pauseUnless(over, Math.min(backOffMs.first * 2 ** (failures - 1), backOffMs.max))
    if (published === 'failed' || published === batch) continue
    await wakeSignal.wait(pollMs, over)
    // Waits for more events: publishing ten at once costs the relay, the broker and every consumer as much as publishing one.
    await pause(published > 1 ? busyFactor * gatherMs : gatherMs)
  }
}

/** @returns the records that are still being delivered, or undefined when the publication failed */
async function publish(
  events: readonly OutboxEvent[],
  { transport, log, metrics }: RelayOptions,
  givingUp: AbortSignal,
): Promise<readonly Pending[] | undefined> {
  const records = events.map(({ record }) => record)
  const sending = traceSending(tracerOf(metrics.service), transport.system, records)
  try {
    const unfinished = await unlessAborted(givingUp, transport.publish(sending.records))
    sending.sent()
    return unfinished
  } catch (err) {
    sending.failed(err)
    log.warn({ err, events: records.length }, 'events could not be published')
    return undefined
  }
}
