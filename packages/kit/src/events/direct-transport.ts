import { createGroup, type Group } from './direct-group.js'
import type { EventRecord, EventTransport, Pending, Running, Subscription } from './transport.js'
import { pauseUnless } from './waiting.js'

export interface DirectTransportOptions {
  /**
   * Whether publications wait until `open` is called, so that services which start one after another in one process miss no events before they have
   * subscribed. Default false.
   */
  held?: boolean
  /** How long `stop` waits for running handlers, in milliseconds. Default 5,000. */
  graceMs?: number
  /** How long `publish` waits for handlers before it returns their records as pending, in milliseconds. Default 1,000. */
  handlingTimeoutMs?: number
}

export interface DirectTransport extends EventTransport {
  /** Lets the waiting publications of a `held` transport proceed. */
  open(): void
}

/**
 * A transport that passes records to the consumer groups of this process, in order for each key of a topic; no key waits for another. It stores nothing:
 * `publish` resolves when every group has handled the records, so that they stay in the outbox until then. It rejects while a group that has subscribed
 * before has no member. Records that are not handled within `handlingTimeoutMs` are returned as pending.
 */
export function createDirectTransport(options: DirectTransportOptions = {}): DirectTransport {
  const { held = false, graceMs = 5000, handlingTimeoutMs = 1000 } = options
  const groups = new Map<string, Group>()
  const listeners = new Set<Group>()
  const opened = Promise.withResolvers<void>()
  // Marks the rejection as handled: nothing may be waiting for it, and an unhandled one would end the process.
  opened.promise.catch(() => undefined)
  if (!held) opened.resolve()
  let stopped = false

  return {
    system: 'direct',

    open: () => opened.resolve(),

    async publish(records) {
      await opened.promise
      if (stopped) throw wasStopped()
      for (const record of records) subscribed(listeners, record).forEach((listener) => void listener.handle(record))
      return settledOrPending(
        records.map((record) => ({
          record,
          handled: allHandled(subscribed(groups.values(), record).map((group) => group.handle(record))),
        })),
        handlingTimeoutMs,
      )
    },

    async subscribe(subscription) {
      if (subscription.broadcast) return listen(listeners, subscription, graceMs)
      const group = groups.get(subscription.group) ?? createGroup(subscription.group)
      groups.set(subscription.group, group)
      const member = group.join(subscription)
      return { stop: () => member.leave(graceMs) }
    },

    healthy: () => true,
    receiving: () => true,

    async stop() {
      stopped = true
      opened.reject(wasStopped())
      await Promise.all([...groups.values(), ...listeners].map((group) => group.leave(graceMs)))
    },
  }
}

const wasStopped = () => new Error('The transport was stopped.')

const subscribed = (groups: Iterable<Group>, record: EventRecord) => [...groups].filter((group) => group.subscribesTo(record))

/** Settles when all deliveries have settled, so that a record which is published again is not handled twice at the same time. */
async function allHandled(deliveries: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(deliveries)).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** @returns the deliveries that are not handled after `handlingTimeoutMs`. @throws the first failure, when all have settled by then and one has failed */
async function settledOrPending(deliveries: readonly Pending[], handlingTimeoutMs: number): Promise<Pending[]> {
  const open = new Set(deliveries)
  for (const delivery of deliveries) {
    delivery.handled.then(
      () => open.delete(delivery),
      () => undefined,
    )
  }
  const all = allHandled(deliveries.map(({ handled }) => handled))
  const timer = new AbortController()
  await Promise.race([all.finally(() => timer.abort()), pauseUnless(timer.signal, handlingTimeoutMs)])
  return [...open]
}

/** Subscribes to a broadcast. A failure of its handler is ignored, because a record is not broadcast again. */
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
