import { setTimeout as pause } from 'node:timers/promises'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Logger } from '../../observability/index.js'
import type { createDeliveries, PartitionRecord } from './deliveries.js'
import type { watchForGaps } from './gaps.js'
import { recordOf } from './message.js'
import type { createOffsets } from './offsets.js'

export interface HandleBatchOptions {
  offsets: ReturnType<typeof createOffsets>
  deliveries: ReturnType<typeof createDeliveries>
  gaps?: ReturnType<typeof watchForGaps> | undefined
  /** Called with the number of events of the partition that are not handled yet: at the start, and after each step. */
  showLag(events: number): void
  log: Logger
  stopping: AbortSignal
}

const pauseMs = 500

/** Handles the messages of a batch in order, one or several at a time. Offsets are resolved after the effects: a crash repeats events but loses none. */
export async function handleBatch(payload: EachBatchPayload, options: HandleBatchOptions): Promise<void> {
  const { batch, heartbeat, isRunning, isStale, resolveOffset } = payload
  const { topic, partition, messages, highWatermark } = batch
  const { offsets, deliveries, gaps, showLag, log, stopping } = options
  const note = offsets.of(topic, partition)
  try {
    await gaps?.before(batch)
  } catch (err) {
    log.warn({ err, topic, partition }, 'the loss of events could not be recorded')
    return void (!stopping.aborted && holdPartition(payload, options, false))
  }
  const recordAt = (message: KafkaMessage): PartitionRecord => ({
    position: `${topic} ${partition} ${message.offset}`,
    offset: message.offset,
    record: recordOf(topic, partition, message),
  })
  const together = deliveries.atOnce(topic)
  const showLagFrom = (next: bigint) => showLag(Number(BigInt(highWatermark) - next))
  if (messages[0]) showLagFrom(BigInt(messages[0].offset))
  let apart = 0
  for (let remaining = messages; ; ) {
    const [first, ...others] = remaining.slice(0, apart > 0 ? 1 : together).map(recordAt)
    if (!first || !isRunning() || isStale() || stopping.aborted) return
    const { outcome, records } = await deliveries.deliver([first, ...others], stopping)
    if (outcome === 'apart') {
      apart = records.length
      continue
    }
    if (outcome !== 'handled') return void (!stopping.aborted && holdPartition(payload, options, outcome === 'late' && first.position))
    remaining = remaining.slice(records.length)
    apart -= records.length
    const { offset } = records.at(-1) ?? first
    resolveOffset(offset)
    showLagFrom(BigInt(offset) + 1n)
    gaps?.handled(batch, offset)
    await note(offset)
    await heartbeat()
  }
}

/**
 * Pauses the partition of the batch, while kafkajs continues with other partitions and with heartbeats.
 * @param late the position of a record whose handler still runs: the partition is resumed when that has ended, without it after a short pause
 */
function holdPartition(
  { pause: pausePartition }: EachBatchPayload,
  { deliveries, stopping }: HandleBatchOptions,
  late: string | false,
): void {
  const resume = pausePartition()
  const over = late ? deliveries.ended(late) : pause(pauseMs, undefined, { signal: stopping })
  over.then(resume, resume)
}
