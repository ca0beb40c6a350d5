import type { Id } from '@caseway/kit/caller'
import type { Peers } from '@caseway/kit/grpc'
import type { ShownRecords } from '@caseway/kit/objects'
import type { PurgeRule } from '@caseway/kit/purge'
import type { Db } from '../database.js'
import { deliveryQueue } from './delivery-queue.repository.js'
import { recordOwners } from './record-owners.client.js'
import { webhookSendingJob } from './sending.job.js'
import { type SendingParts, webhookSending } from './sending.service.js'
import { webhookDeliveryRepository } from './webhook-delivery.repository.js'
import { webhookDeliveryRoutes } from './webhook-delivery.routes.js'
import { webhookDeliveryService } from './webhook-delivery.service.js'
import { webhookEvents } from './webhook-event.consumer.js'
import { webhookHealthRepository } from './webhook-health.repository.js'

interface Parts extends Peers, Pick<SendingParts, 'webhooks' | 'sender' | 'log'> {
  /** The records of this service. */
  readonly own: readonly ShownRecords[]
  zoneOf(customerId: Id): Promise<string>
}

const dayMs = 86_400_000

/** How long deliveries are kept after their end. */
const retention: PurgeRule[] = [{ table: 'webhook_deliveries', column: 'ended', keepMs: 30 * dayMs }]

/** The deliveries of webhooks. */
export function wireWebhookDeliveries(db: Db, { webhooks, sender, own, log, ...wiring }: Parts) {
  const queue = deliveryQueue(db)
  const sending = webhookSending({ webhooks, sender, log, queue, health: webhookHealthRepository(db), records: recordOwners(wiring, own) })
  return {
    routes: webhookDeliveryRoutes(webhookDeliveryService(webhookDeliveryRepository(db))),
    consumers: webhookEvents(queue.add),
    jobs: [webhookSendingJob(sending)],
    retention,
  }
}
