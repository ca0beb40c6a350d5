import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { tracerOf } from '../tracing/index.js'
import { deletePublished, readUnpublished } from './outbox-rows.js'
import type { RelayOptions } from './relay.js'
import { traceSending } from './spans.js'
import { createBell, pauseUnless, unlessAborted } from './waiting.js'

const backOffMs = { first: 200, most: 5000 }

/**
 * Publishes what is in the outbox and what comes, until `over`. `givingUp` ends a publication that is under way: its events stay
 * in the outbox.
 */
export async function lead(connection: pg.Client, options: RelayOptions, over: AbortSignal, givingUp: AbortSignal): Promise<void> {
  const bell = createBell()
  connection.on('notification', bell.ring)
  await connection.query('LISTEN kit_outbox')
  let failures = 0
  while (!over.aborted) {
    const outcome = await publishNext(connection, options, givingUp)
    failures = outcome === 'failed' ? failures + 1 : 0
    if (outcome === 'failed') await pauseUnless(over, Math.min(backOffMs.first * 2 ** (failures - 1), backOffMs.most))
    if (outcome !== 'emptied') continue
    await bell.wait(options.pollMs ?? 1000, over)
    // What is committed meanwhile goes along: one publication for ten events costs as much as for one.
    await pause(options.gatherMs ?? 10)
  }
}

async function publishNext(
  connection: pg.Client,
  { transport, log, metrics, batch = 100 }: RelayOptions,
  givingUp: AbortSignal,
): Promise<'emptied' | 'full' | 'failed'> {
  const { ids, records } = await readUnpublished(connection, batch)
  if (ids.length === 0) return 'emptied'
  const sending = traceSending(tracerOf(metrics.service), transport.system, records)
  try {
    await unlessAborted(givingUp, transport.publish(sending.records))
    sending.sent()
  } catch (err) {
    sending.failed(err)
    log.warn({ err, events: records.length }, 'events could not be published')
    return 'failed'
  }
  await deletePublished(connection, ids)
  for (const { topic } of records) metrics.outboxPublished.inc({ topic })
  return ids.length === batch ? 'full' : 'emptied'
}
