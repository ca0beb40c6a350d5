import { Gauge, type Metrics } from '@caseway/kit/observability'
import { type QueuedOf, queueStates } from './sending-queue.js'

/** @param read counts the unsent messages of all offices, by state */
export function sendingMetrics({ registry }: Pick<Metrics, 'registry'>, read: () => Promise<readonly QueuedOf[]>) {
  const registers = [registry]
  // Without the database the gauges keep their last values.
  const found = () => read().catch(() => undefined)
  const gauge = (name: string, help: string, figure: (of: QueuedOf | undefined) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['state'], registers },
      async collect() {
        const now = await found()
        for (const state of now ? queueStates : []) this.set({ state }, figure(now?.find((one) => one.state === state)))
      },
    })
  const meaning =
    'due, scheduled (send_at is in the future), deferred (retried later), stopped (its mailbox does not send), sending, uncertain (the answer of the server is not known); the same in every process'
  return {
    messages: gauge('mail_queue_messages', `Messages that are to be sent, by state: ${meaning}`, (of) => of?.count ?? 0),
    oldest: gauge(
      'mail_queue_oldest_seconds',
      'Longest time since a message was due, or was last tried, by the states of mail_queue_messages; 0 without one; the same in every process',
      (of) => of?.oldestSeconds ?? 0,
    ),
  }
}
