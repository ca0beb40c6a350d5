import { publishAudit } from '@caseway/kit/audit'
import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { webhookInactive } from '../errors.js'
import { triedForMs } from './pauses.js'
import { enqueueSending } from './sending.job.js'
import { webhookDeliveryResource } from './webhook-delivery.resource.js'

/** Deliveries as the employees of an office read and replay them. */
export const webhookDeliveryRepository = (db: Db) => {
  const { list, get, lock } = resourceReads(db, webhookDeliveryResource)
  return {
    ...{ list, get },

    /**
     * Makes a delivery pending again, with the same body. It is sent at once, even if the webhook pauses.
     * @throws AppError `not-found`, WEBHOOK_INACTIVE
     */
    replay: (caller: Employee, id: Id): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        // The webhook is locked first, in the same order as by the sending job.
        const { webhookId } = await get(caller, id)
        // A pause that has ended is kept, because it tells when something was last tried.
        const [active] = await tx.$queryRaw<{ now: Date }[]>`
          UPDATE webhooks SET paused_until = CASE WHEN paused_until > now() THEN now() ELSE paused_until END
          WHERE id = ${webhookId} AND customer_id = ${customerId} AND active RETURNING now()`
        if (!active) throw webhookInactive()
        await lock(tx, caller, id)
        const { now } = active
        const again = {
          status: 'pending',
          tries: 0,
          lastError: null,
          nextTry: now,
          expires: new Date(Number(now) + triedForMs),
          ended: null,
        }
        await tx.webhookDelivery.update({ where: { id, customerId }, data: again })
        await publishAudit(tx, { kind: 'webhook.replayed', subject: { kind: 'webhook_delivery', id } })
        await enqueueSending(tx, customerId, webhookId)
      }),
  }
}

export type WebhookDeliveryRepository = ReturnType<typeof webhookDeliveryRepository>
