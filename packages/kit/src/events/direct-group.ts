import type { EventRecord, Subscription } from './transport.js'
import { pauseUnless, unlessAborted } from './waiting.js'

export interface Member {
  /** Resolves when the handlers at work are done, at the latest after `graceMs`; those left count as failed. */
  leave(graceMs: number): Promise<void>
}

export interface Group {
  subscribesTo(record: EventRecord): boolean
  /** Resolves when a member has handled the record, and those of its key before it; rejects like the first that was not handled. */
  handle(record: EventRecord): Promise<void>
  join(subscription: Subscription): Member
  leave(graceMs: number): Promise<void>
}

/** The copies of one service. The first of them gets the records; the others stand by. */
export function createGroup(name: string): Group {
  const topics = new Set<string>()
  const members = new Map<Member, (record: EventRecord) => Promise<void>>()
  /** The last record of each key that is not handled yet: a key waits for nothing but itself. */
  const partitionQueues = new Map<string, Promise<void>>()

  const deliver = async (record: EventRecord) => {
    const [handle] = members.values()
    if (!handle) throw new Error(`Nobody of ${name} is there to take events.`)
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

/** A subscription's handler whose work can be awaited, and abandoned. */
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
