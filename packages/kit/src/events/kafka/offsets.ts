import type { Consumer, TopicPartitionOffset } from 'kafkajs'
import type { Logger } from '../../observability/index.js'

export interface OffsetsOptions {
  consumer: Pick<Consumer, 'commitOffsets'>
  log: Logger
  /** The interval between commits, in milliseconds: after a crash, events of this time are handled again. Default 1,000. */
  commitEveryMs?: number
}

/** Notes that the record with this offset is handled. Resolves at once, or, after `stop`, when the offset is committed. */
export type NoteHandled = (offset: string) => Promise<void>

/**
 * The offsets that a member of a group has handled. They are committed together every `commitEveryMs`, because one request for all partitions costs the
 * broker as much as a request for one event. Offsets whose commit fails are part of the next commit.
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
      log.warn({ err }, 'the offsets of handled events could not be committed')
      if (!stopped) commitLater()
    }
  }

  return {
    /** The function that notes records of a partition. After the next rebalance it commits nothing more. */
    of(topic: string, partition: number): NoteHandled {
      const own = assigned
      return async (offset) => {
        own.set(`${topic} ${partition}`, { topic, partition, offset: String(BigInt(offset) + 1n) })
        if (stopped) await commit()
        else commitLater()
      }
    },

    /** Drops all uncommitted offsets, after a rebalance: a partition may belong to another member, whose committed offset must not be set back. */
    forget(): void {
      assigned = new Map()
    },

    /** Commits the remaining offsets. From then on every offset is committed at once. */
    stop(): Promise<void> {
      stopped = true
      return commit()
    },
  }
}
