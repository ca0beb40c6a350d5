import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../observability/index.js'

interface Notification {
  readonly channel: string
  readonly payload: string
}

/** Sends NOTIFY for each of them, in one statement. */
export type SendNotifications = (channels: readonly string[], payloads: readonly string[]) => Promise<unknown>

export interface Notifier {
  notify(channel: string, payload?: string): void
  /** Resolves when everything has been sent. */
  drained(): Promise<void>
}

/**
 * The notifications of one process: the first at once, those of the next `everyMs` milliseconds together, each payload of a channel once.
 *
 * They are sent outside of the transactions that cause them. A transaction with a NOTIFY takes a lock of the whole server at its commit
 * (PostgreSQL, src/backend/commands/async.c), so that all of them commit one after the other.
 */
export function createNotifier(send: SendNotifications, log: Logger, everyMs = 10): Notifier {
  const pending = new Map<string, Notification>()
  // A statement that serves many requests belongs to the trace of none.
  const outsideOfRequests = AsyncLocalStorage.snapshot()
  let sending: Promise<void> | undefined

  const sendPending = async () => {
    while (pending.size > 0) {
      const notifications = [...pending.values()]
      pending.clear()
      await send(
        notifications.map(({ channel }) => channel),
        notifications.map(({ payload }) => payload),
      ).catch((err: unknown) => log.warn({ err }, 'listeners were not notified, and will find the change when they poll'))
      await pause(everyMs)
    }
    sending = undefined
  }

  return {
    notify(channel, payload = '') {
      pending.set(`${channel} ${payload}`, { channel, payload })
      sending ??= outsideOfRequests(sendPending)
    },
    drained: async () => sending,
  }
}
