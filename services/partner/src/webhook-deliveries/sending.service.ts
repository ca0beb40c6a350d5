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

/** Records whose events are sent at the same time. */
const parallel = 16
/** What is read and written at once; of a webhook that fails, as much as is sent at the same time. */
const atOnce = 256
/** After this nothing more is sent before what became of the rest is written, in milliseconds. */
const roundMs = 2000
/** For how long events are gathered after a round that has sent all that was due, so that many are sent at the price of one. */
const gatherMs = 100

/** Sends what a webhook has to send, until nothing is due. Of one record the events go one after the other, and one that fails holds the next ones. */
export function webhookSending({ webhooks, queue, health, records, sender, log }: SendingParts): Sending {
  /** Undefined where the owner does not answer, or makes a mistake: what belongs to others is sent. */
  const shownOf = async (customerId: Id, resource: string, told: readonly PendingDelivery[]) => {
    const ids = new Set(told.map(({ subject }) => recordOf(subject).id))
    return records
      .read(customerId, resource, [...ids])
      .catch((err: unknown) => void log.warn({ err, resource }, 'records for webhooks could not be read'))
  }

  /** What there is to send of each delivery; nothing where the owner of its record does not answer. */
  const payloads = async (customerId: Id, deliveries: readonly PendingDelivery[]) => {
    const found = new Map<Id, string>(deliveries.flatMap(({ id, payload }) => (payload === null ? [] : [[id, payload] as const])))
    const unread = deliveries.filter(({ id }) => !found.has(id))
    const byResource = Map.groupBy(unread, ({ subject }) => recordOf(subject).told.resource)
    for (const [resource, told] of byResource) {
      const shown = await shownOf(customerId, resource, told)
      if (shown) for (const one of told) found.set(one.id, payloadOf(one, shown.get(recordOf(one.subject).id)))
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
        if (webhook.pausedUntil && webhook.pausedUntil > new Date()) return again(webhook.pausedUntil)
        const most = webhook.failures > 0 ? parallel : atOnce
        const deliveries = await queue.due(ofWebhook, most)
        if (deliveries.length === 0) return again(await queue.nextDue(ofWebhook))
        const tried = await round(webhook, deliveries, run.signal)
        await run.checkpoint(null, async () => {
          const isAsTried = await health.follow(webhook, tried)
          await queue.record(ofWebhook, tried, isAsTried)
        })
        if (deliveries.length < most) await pause(gatherMs, undefined, { signal: run.signal })
      }
    },
  }
}

const unread = { error: 'record-unavailable', statusCode: null }
