import { setTimeout as pause } from 'node:timers/promises'
import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { Logger } from '../../observability/index.js'
import type { createDeliveries } from './deliveries.js'
import type { watchForGaps } from './gaps.js'
import { recordOf } from './message.js'

export interface HandleBatchOptions {
  consumer: Consumer
  deliveries: ReturnType<typeof createDeliveries>
  gaps?: ReturnType<typeof watchForGaps> | undefined
  log: Logger
  stopping: AbortSignal
}

const pauseMs = 500
/** So often what was handled is remembered: a copy that dies has this much done twice. */
const commitEveryMs = 1_000

/** One message after another; the offsets follow the effects, so that a crash repeats and loses nothing. */
export async function handleBatch(payload: EachBatchPayload, options: HandleBatchOptions): Promise<void> {
  const { batch, heartbeat, isRunning, isStale, resolveOffset } = payload
  const { topic, partition, messages } = batch
  const { deliveries, gaps, log, stopping } = options
  const offsets = committing(payload, options)
  try {
    await gaps?.before(batch)
  } catch (err) {
    log.warn({ err, topic, partition }, 'it could not be noted that events were lost')
    return void (!stopping.aborted && holdPartition(payload, options, false))
  }
  try {
    for (const message of messages) {
      if (!isRunning() || isStale() || stopping.aborted) return
      const place = `${topic} ${partition} ${message.offset}`
      const outcome = await deliveries.deliver(place, recordOf(topic, partition, message), stopping)
      if (outcome !== 'handled') return void (!stopping.aborted && holdPartition(payload, options, outcome === 'late' && place))
      resolveOffset(message.offset)
      gaps?.handled(batch, message.offset)
      if (!(await offsets.handled(message.offset))) return
      await heartbeat()
    }
  } finally {
    await offsets.commit()
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

function committing({ batch: { topic, partition } }: EachBatchPayload, { consumer, log }: HandleBatchOptions) {
  let next: string | undefined
  let committedAt = Date.now()
  /** False when the group has gone on without this copy, which kafkajs then joins again; what was handled comes once more. */
  const commit = async (): Promise<boolean> => {
    if (next === undefined) return true
    const offsets = [{ topic, partition, offset: next }]
    next = undefined
    committedAt = Date.now()
    return consumer.commitOffsets(offsets).then(
      () => true,
      (err: unknown) => {
        log.warn({ err, topic, partition }, 'what was handled could not be noted')
        return false
      },
    )
  }
  return {
    commit,
    async handled(offset: string): Promise<boolean> {
      next = String(BigInt(offset) + 1n)
      return Date.now() - committedAt < commitEveryMs || commit()
    },
  }
}
