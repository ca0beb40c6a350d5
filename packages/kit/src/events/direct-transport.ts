import { createGroup, type Group } from './direct-group.js'
import type { EventRecord, EventTransport, Running, Subscription } from './transport.js'

export interface DirectTransportOptions {
  /**
   * Publications wait until `open` is called: while services start one after another, no event may pass one that has not
   * subscribed yet.
   */
  held?: boolean
  /** How long `stop` waits for handlers that are at work. Default 5,000 ms. */
  graceMs?: number
}

export interface DirectTransport extends EventTransport {
  /** Lets the publications of a `held` transport go. */
  open(): void
}

/**
 * Hands records to the groups of this process, in order for each key. A publication resolves when every group has taken its
 * records, so that the outbox is what makes it durable; while a group that once subscribed is away, it is rejected.
 */
export function createDirectTransport({ held = false, graceMs = 5000 }: DirectTransportOptions = {}): DirectTransport {
  const groups = new Map<string, Group>()
  const listeners = new Set<Group>()
  const opened = Promise.withResolvers<void>()
  // A rejection that nobody waits for yet is no error of the process.
  opened.promise.catch(() => undefined)
  if (!held) opened.resolve()
  let stopped = false

  return {
    system: 'direct',

    open: () => opened.resolve(),

    async publish(records) {
      await opened.promise
      if (stopped) throw wasStopped()
      for (const record of records) hearing(listeners, record).forEach((listener) => void listener.take(record))
      const taken = records.flatMap((record) => hearing(groups.values(), record).map((group) => group.take(record)))
      const failed = (await Promise.allSettled(taken)).find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },

    async subscribe(subscription) {
      if (subscription.broadcast) return listen(listeners, subscription, graceMs)
      const group = groups.get(subscription.group) ?? createGroup(subscription.group)
      groups.set(subscription.group, group)
      const member = group.join(subscription)
      return { stop: () => member.leave(graceMs) }
    },

    healthy: () => true,

    async stop() {
      stopped = true
      opened.reject(wasStopped())
      await Promise.all([...groups.values(), ...listeners].map((group) => group.leave(graceMs)))
    },
  }
}

const wasStopped = () => new Error('The transport was stopped.')

const hearing = (groups: Iterable<Group>, record: EventRecord) => [...groups].filter((group) => group.hears(record))

/** Whoever listens from now on cannot ask for a record again, so that a failure is its own affair and stops nobody. */
function listen(listeners: Set<Group>, subscription: Subscription, graceMs: number): Running {
  const listener = createGroup(subscription.group)
  const handle = (record: EventRecord) => subscription.handle(record).catch(() => undefined)
  const member = listener.join({ ...subscription, handle })
  listeners.add(listener)
  return {
    async stop() {
      listeners.delete(listener)
      await member.leave(graceMs)
    },
  }
}
