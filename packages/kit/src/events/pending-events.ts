import type { Logger } from '../observability/index.js'
import type { OrderKey, OutboxEvent } from './outbox-rows.js'
import type { Pending } from './transport.js'

/**
 * The events that the transport is still delivering. They stay in the outbox until they are handled, and with them whatever comes later of
 * their keys; all other events go on. `onSettled` is called whenever one of them has ended.
 */
export function createPendingEvents(log: Logger, onSettled: () => void) {
  const open = new Set<OutboxEvent>()
  const done: OutboxEvent[] = []
  let failed = false

  const follow = async (event: OutboxEvent, { handled }: Pending) => {
    open.add(event)
    try {
      await handled
      done.push(event)
    } catch (err) {
      failed = true
      log.warn({ err, event: event.record.id }, 'an event could not be published')
    }
    open.delete(event)
    onSettled()
  }

  return {
    /** Follows what is `left` of `events`. @returns the others: they are published */
    add(events: readonly OutboxEvent[], left: readonly Pending[]): OutboxEvent[] {
      const pending = new Map(left.map((each) => [each.record.id, each]))
      return events.filter((event) => {
        const each = pending.get(event.record.id)
        if (each) void follow(event, each)
        return !each
      })
    },

    /** The events that were handled since the last call. */
    handled: (): OutboxEvent[] => done.splice(0),

    /** Whether the delivery of an event has failed since the last call: it will be read again. */
    failed(): boolean {
      const since = failed
      failed = false
      return since
    },

    /** The keys of which nothing may be published, because one of their events is not handled or not deleted yet. */
    keys: (): OrderKey[] => [...open, ...done].map(({ record }) => record),
  }
}
