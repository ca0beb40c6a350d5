import type { Consumer, TopicPartitionOffset } from 'kafkajs'
import type { Logger } from '../../observability/index.js'

export interface OffsetsOptions {
  consumer: Pick<Consumer, 'commitOffsets'>
  log: Logger
  /** How much a copy that dies leaves to be done again, in milliseconds. Default 1,000. */
  commitEveryMs?: number
}

/** Notes that the record with this offset is handled. Resolves at once, or, after `stop`, when it is committed. */
export type NoteHandled = (offset: string) => Promise<void>

/**
 * What a member of a group has handled, committed once a second: one request for all partitions costs the broker as much as one for each event.
 * A commit that fails is tried again with the next one.
 */
export function createOffsets({ consumer, log, commitEveryMs = 1_000 }: OffsetsOptions) {
  let assigned = new Map<string, TopicPartitionOffset>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const commitLater = () => {
    timer ??= setTimeout(() => void commit(), commitEveryMs).unref()
  }
  const commit = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const own = assigned
    const sent = [...own]
    if (sent.length === 0) return
    try {
      await consumer.commitOffsets(sent.map(([, offset]) => offset))
      for (const [key, offset] of sent) if (own.get(key) === offset) own.delete(key)
    } catch (err) {
      log.warn({ err }, 'what was handled could not be committed')
      if (!stopped) commitLater()
    }
  }

  return {
    /** For the records of a partition, as long as nothing is assigned anew. */
    of(topic: string, partition: number): NoteHandled {
      const own = assigned
      return async (offset) => {
        own.set(`${topic} ${partition}`, { topic, partition, offset: String(BigInt(offset) + 1n) })
        if (stopped) await commit()
        else commitLater()
      }
    },

    /** The group has been assigned anew: a partition may be another's now, whose committed offset must not go back. */
    forget(): void {
      assigned = new Map()
    },

    /** Commits what is left, and at once from then on. */
    stop(): Promise<void> {
      stopped = true
      return commit()
    },
  }
}
