import { setTimeout as pause } from 'node:timers/promises'
import type { Id } from '@caseway/kit/caller'
import type { Logger } from '@caseway/kit/observability'
import pLimit from 'p-limit'
import { recordOf } from '../webhook-events/event-type.js'
import type { SendingWebhook } from '../webhooks/webhook.js'
import type { WebhookSender } from '../webhooks/webhook-sender.js'
import type { DeliveryQueue } from './delivery-queue.repository.js'
import type { RecordSource } from './record-source.js'
import { enqueueSending, type Sending } from './sending.job.js'
import type { PendingDelivery, TriedDelivery } from './webhook-delivery.js'
import type { WebhookHealth } from './webhook-health.repository.js'
import { payloadOf } from './webhook-payload.js'

export interface SendingParts {
  readonly webhooks: { toSend(customerId: Id, id: Id): Promise<SendingWebhook | null> }
  readonly queue: DeliveryQueue
  readonly health: WebhookHealth
  readonly records: RecordSource
  readonly sender: WebhookSender
  readonly log: Logger
}

/** How many records' events are sent concurrently. */
const parallel = 16
/** How many deliveries are read and stored together; for a failing webhook only as many as are sent concurrently. */
const atOnce = 256
/** After this time no further delivery of a round is sent, so that its results are stored, in milliseconds. */
const roundMs = 2000
/** How long events are collected after a round that has sent everything due, in milliseconds, so that the next round is larger. */
const gatherMs = 100

/** Sends the deliveries of a webhook until none is due. Events of one record are sent in order, and one that fails delays the next ones. */
export function webhookSending({ webhooks, queue, health, records, sender, log }: SendingParts): Sending {
  /** Reads records. Undefined where their owner fails, so that records of other owners are still sent. */
  const shownOf = async (customerId: Id, resource: string, due: readonly PendingDelivery[]) => {
    const ids = new Set(due.map(({ subject }) => recordOf(subject).id))
    return records
      .read(customerId, resource, [...ids])
      .catch((err: unknown) => void log.warn({ err, resource }, 'records for webhooks could not be read'))
  }

  /** The payloads by the ids of deliveries; missing where the owner of the record does not answer. */
  const payloads = async (customerId: Id, deliveries: readonly PendingDelivery[]) => {
    const found = new Map<Id, string>(deliveries.flatMap(({ id, payload }) => (payload === null ? [] : [[id, payload] as const])))
    const unread = deliveries.filter(({ id }) => !found.has(id))
    const byResource = Map.groupBy(unread, ({ subject }) => recordOf(subject).record.resource)
    for (const [resource, due] of byResource) {
      const shown = await shownOf(customerId, resource, due)
      if (shown) for (const delivery of due) found.set(delivery.id, payloadOf(delivery, shown.get(recordOf(delivery.subject).id)))
    }
    return found
  }

  const round = async (webhook: SendingWebhook, deliveries: readonly PendingDelivery[], signal: AbortSignal): Promise<TriedDelivery[]> => {
    const found = await payloads(webhook.customerId, deliveries)
    const until = performance.now() + roundMs
    const tried: TriedDelivery[] = []
    const sendInOrder = async (ofRecord: readonly PendingDelivery[]) => {
      for (const delivery of ofRecord) {
        if (performance.now() > until) return
        const payload = found.get(delivery.id)
        const message = { id: `${delivery.eventId}_${webhook.id}`, payload: payload ?? '' }
        const outcome = payload === undefined ? unread : await sender.send(webhook, message, signal)
        tried.push({ delivery, payload: payload ?? null, ...outcome })
        if (outcome.error !== null) return
      }
    }
    const limit = pLimit(parallel)
    const byRecord = Map.groupBy(deliveries, ({ subject }) => subject)
    await Promise.all([...byRecord.values()].map((ofRecord) => limit(sendInOrder, ofRecord)))
    return tried
  }

  return {
    async run(run, customerId, webhookId) {
      const ofWebhook = { customerId, webhookId }
      const giveUp = (isActive: boolean) => run.checkpoint(null, () => queue.giveUp(ofWebhook, isActive))
      const again = (at: Date | null) => run.finish(async (tx) => void (at && (await enqueueSending(tx, customerId, webhookId, at))))
      for (let isFirst = true; ; isFirst = false) {
        const webhook = await webhooks.toSend(customerId, webhookId)
        if (!webhook) return
        if (isFirst || !webhook.active) while ((await giveUp(webhook.active)) > 0) run.signal.throwIfAborted()
        if (!webhook.active) return
        if (webhook.pausedUntil && (await queue.isAhead(customerId, webhook.pausedUntil))) return again(webhook.pausedUntil)
        const room = webhook.failures > 0 ? parallel : atOnce
        const deliveries = await queue.due(ofWebhook, room)
        if (deliveries.length === 0) return again(await queue.nextDue(ofWebhook))
        const tried = await round(webhook, deliveries, run.signal)
        await run.checkpoint(null, async () => {
          const isAsTried = await health.follow(webhook, tried)
          await queue.record(ofWebhook, tried, isAsTried)
        })
        if (deliveries.length < room) await pause(gatherMs, undefined, { signal: run.signal })
      }
    },
  }
}

const unread = { error: 'record-unavailable', statusCode: null }
