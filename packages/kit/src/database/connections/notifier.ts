import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../observability/index.js'

interface Notification {
  readonly channel: string
  readonly payload: string
}

/** Sends notifications in one statement: the payload of each channel is at the same index. */
export type SendNotifications = (channels: readonly string[], payloads: readonly string[]) => Promise<unknown>

export interface Notifier {
  notify(channel: string, payload?: string): void
  /** Resolves when everything has been sent. */
  drained(): Promise<void>
}

/**
 * Sends the notifications of one process: the first at once, those of the next `everyMs` milliseconds together, each payload of a channel once.
 *
 * They are sent outside of the transactions that cause them. A transaction with a NOTIFY takes a lock of the whole server at its commit
 * (PostgreSQL, src/backend/commands/async.c), so that such transactions commit one after the other.
 */
export function createNotifier(send: SendNotifications, log: Logger, everyMs = 10): Notifier {
  const pending = new Map<string, Notification>()
  // The statement serves many requests, so it must not belong to the trace of one.
  const outsideOfRequests = AsyncLocalStorage.snapshot()
  let sending: Promise<void> | undefined

  const sendPending = async () => {
    while (pending.size > 0) {
      const notifications = [...pending.values()]
      pending.clear()
      await send(
        notifications.map(({ channel }) => channel),
        notifications.map(({ payload }) => payload),
      ).catch((err: unknown) => log.warn({ err }, 'listeners were not notified, and will notice the change when they poll'))
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
