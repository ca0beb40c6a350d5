import { setTimeout as pause } from 'node:timers/promises'
import type { EachBatchPayload } from 'kafkajs'
import type { Logger } from '../../observability/index.js'
import type { createDeliveries } from './deliveries.js'
import type { watchForGaps } from './gaps.js'
import { recordOf } from './message.js'
import type { createOffsets } from './offsets.js'

export interface HandleBatchOptions {
  offsets: ReturnType<typeof createOffsets>
  deliveries: ReturnType<typeof createDeliveries>
  gaps?: ReturnType<typeof watchForGaps> | undefined
  log: Logger
  stopping: AbortSignal
}

const pauseMs = 500

/** One message after another; the offsets follow the effects, so that a crash repeats and loses nothing. */
export async function handleBatch(payload: EachBatchPayload, options: HandleBatchOptions): Promise<void> {
  const { batch, heartbeat, isRunning, isStale, resolveOffset } = payload
  const { topic, partition, messages } = batch
  const { offsets, deliveries, gaps, log, stopping } = options
  const note = offsets.of(topic, partition)
  try {
    await gaps?.before(batch)
  } catch (err) {
    log.warn({ err, topic, partition }, 'it could not be noted that events were lost')
    return void (!stopping.aborted && holdPartition(payload, options, false))
  }
  for (const message of messages) {
    if (!isRunning() || isStale() || stopping.aborted) return
    const place = `${topic} ${partition} ${message.offset}`
    const outcome = await deliveries.deliver(place, recordOf(topic, partition, message), stopping)
    if (outcome !== 'handled') return void (!stopping.aborted && holdPartition(payload, options, outcome === 'late' && place))
    resolveOffset(message.offset)
    gaps?.handled(batch, message.offset)
    await note(message.offset)
    await heartbeat()
  }
}

/** What comes after the record in its partition waits for it; other partitions go on, and kafkajs goes on with its heartbeats. */
function holdPartition(
  { pause: pausePartition }: EachBatchPayload,
  { deliveries, stopping }: HandleBatchOptions,
  late: string | false,
): void {
  const resume = pausePartition()
  const over = late ? deliveries.ended(late) : pause(pauseMs, undefined, { signal: stopping })
  over.then(resume, resume)
}
