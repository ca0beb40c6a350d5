import type { EventRecord, Subscription } from './transport.js'
import { pauseUnless, unlessAborted } from './waiting.js'

export interface Member {
  /** Resolves when running handlers have ended, at the latest after `graceMs` milliseconds; those that still run then count as failed. */
  leave(graceMs: number): Promise<void>
}

export interface Group {
  subscribesTo(record: EventRecord): boolean
  /** Resolves when a member has handled the record and all earlier ones of its key. Rejects with the error of the first that was not handled. */
  handle(record: EventRecord): Promise<void>
  join(subscription: Subscription): Member
  leave(graceMs: number): Promise<void>
}

/** A consumer group: the copies of one service. The member that joined first gets all records; the others stand by. */
export function createGroup(name: string): Group {
  const topics = new Set<string>()
  const members = new Map<Member, (record: EventRecord) => Promise<void>>()
  /** The delivery of the last record of each topic and key, while it is not settled: the next record of the key waits for it, other keys do not. */
  const partitionQueues = new Map<string, Promise<void>>()

  const deliver = async (record: EventRecord) => {
    const [handle] = members.values()
    if (!handle) throw new Error(`The group ${name} has no member that handles events.`)
    await handle(record)
  }

  return {
    subscribesTo: (record) => topics.has(record.topic),

    handle(record) {
      const key = `${record.topic} ${record.key}`
      const handled = (partitionQueues.get(key) ?? Promise.resolve()).then(() => deliver(record))
      partitionQueues.set(key, handled)
      const clear = () => void (partitionQueues.get(key) === handled && partitionQueues.delete(key))
      handled.then(clear, clear)
      return handled
    },

    join(subscription) {
      for (const topic of subscription.topics) topics.add(topic)
      const { handle, finish } = createHandling(subscription)
      const member = {
        async leave(graceMs: number) {
          members.delete(member)
          await finish(graceMs)
        },
      }
      members.set(member, handle)
      return member
    },

    async leave(graceMs) {
      await Promise.all([...members.keys()].map((member) => member.leave(graceMs)))
    },
  }
}

/** Wraps the handler of a subscription: `finish` waits for running calls, and rejects those that still run after `graceMs` milliseconds. */
function createHandling(subscription: Subscription) {
  const atWork = new Set<Promise<void>>()
  const stopped = new AbortController()
  return {
    async handle(record: EventRecord) {
      const work = subscription.handle(record)
      atWork.add(work)
      try {
        await unlessAborted(stopped.signal, work)
      } finally {
        atWork.delete(work)
      }
    },
    async finish(graceMs: number) {
      const idle = new AbortController()
      const stopWaiting = () => idle.abort()
      Promise.allSettled(atWork).then(stopWaiting, stopWaiting)
      await pauseUnless(idle.signal, graceMs)
      stopped.abort(new Error('The subscription was stopped.'))
    },
  }
}
