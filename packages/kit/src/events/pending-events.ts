import type { Logger } from '../observability/index.js'
import type { OrderKey, OutboxEvent } from './outbox-rows.js'
import type { Pending } from './transport.js'

/**
 * The events that the transport is still delivering. They, and later events of their keys, stay in the outbox until they are handled; other events are
 * published meanwhile.
 * @param onSettled called whenever a delivery has ended, with or without success
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
    /** Follows the `unfinished` deliveries of `events`. @returns the other events, which are published */
    add(events: readonly OutboxEvent[], unfinished: readonly Pending[]): OutboxEvent[] {
      const pending = new Map(unfinished.map((each) => [each.record.id, each]))
      return events.filter((event) => {
        const each = pending.get(event.record.id)
        if (each) void follow(event, each)
        return !each
      })
    },

    /** The events that were handled since the last call. */
    handled: (): OutboxEvent[] => done.splice(0),

    /** Whether the delivery of an event has failed since the last call: then it is read from the outbox and published again. */
    failed(): boolean {
      const since = failed
      failed = false
      return since
    },

    /** The keys of which no event may be published now, because an earlier one is not handled, or not deleted from the outbox yet. */
    keys: (): OrderKey[] => [...open, ...done].map(({ record }) => record),
  }
}
