import { createGroup, type Group } from './direct-group.js'
import type { EventRecord, EventTransport, Pending, Running, Subscription } from './transport.js'
import { pauseUnless } from './waiting.js'

export interface DirectTransportOptions {
  /**
   * Publications wait until `open` is called: while services start one after another, no event may pass one that has not
   * subscribed yet.
   */
  held?: boolean
  /** How long `stop` waits for handlers that are at work. Default 5,000 ms. */
  graceMs?: number
  /** How long a publication waits until it leaves records to their handlers and returns them. Default 1,000 ms. */
  handlingTimeoutMs?: number
}

export interface DirectTransport extends EventTransport {
  /** Lets the publications of a `held` transport go. */
  open(): void
}

/**
 * Hands records to the groups of this process, in order for each key of a topic; no key waits for another. A publication resolves when every
 * group has handled its records, so that the outbox is what makes it durable; while a group that once subscribed is away, it is rejected.
 * Records that are not handled in time are returned, and stay with their handlers.
 */
export function createDirectTransport(options: DirectTransportOptions = {}): DirectTransport {
  const { held = false, graceMs = 5000, handlingTimeoutMs = 1000 } = options
  const groups = new Map<string, Group>()
  const listeners = new Set<Group>()
  const opened = Promise.withResolvers<void>()
  // A rejection without a handler yet is no error of the process.
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

/** Settles when all groups have settled: a record that comes again must not be handled twice at a time. */
async function allHandled(deliveries: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(deliveries)).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** What is not handled after `handlingTimeoutMs`. @throws the first failure when all have settled, and not all were handled */
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

/** A broadcast subscriber cannot receive a record again, so that its failure does not stop the others. */
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
