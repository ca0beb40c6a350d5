import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { subjectOf, type WebhookEvent } from '../webhook-events/event-type.js'
import { everyEvent } from '../webhooks/webhook-events.field.js'
import { pauseAfter, triedForMs } from './pauses.js'
import { enqueueSending, enqueueSendings } from './sending.job.js'
import type { PendingDelivery, TriedDelivery } from './webhook-delivery.js'

interface Queue {
  readonly customerId: Id
  readonly webhookId: Id
}

type Wanting = Pick<WebhookEvent, 'customerId' | 'type'>
const wanting = prepared(
  (param: ParamOf<readonly Wanting[]>) => sql<{ nth: bigint; id: Id }>`
    SELECT event.nth, webhook.id
    FROM unnest(${param((events) => events.map(({ customerId }) => customerId))}::bigint[], ${param((events) => events.map(({ type }) => type))}::text[])
      WITH ORDINALITY AS event (customer_id, type, nth)
    JOIN webhooks AS webhook USING (customer_id)
    WHERE webhook.active AND webhook.events::jsonb ?| ARRAY[${sql.lit(everyEvent)}, event.type]
    ORDER BY event.nth`,
)

interface Wanted {
  readonly webhookId: Id
  readonly event: WebhookEvent
}

/** The due deliveries of a webhook, the oldest first, except those after one of the same record that is not due. */
const due = prepared(
  (param: ParamOf<Queue & { limit: number }>) => sql<PendingDelivery>`
    SELECT id, event_id AS "eventId", event_type AS "eventType", event_time AS "eventTime", subject, payload, tries
    FROM webhook_deliveries AS delivery
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND webhook_id = ${param(({ webhookId }) => webhookId)}
      AND status = 'pending' AND next_try <= now() AND NOT EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject = delivery.subject AND earlier.status = 'pending'
          AND earlier.id < delivery.id AND earlier.next_try > now())
    ORDER BY id LIMIT ${param(({ limit }) => limit)}`,
)

/** When the next delivery is due that is the first of its record; null where there is nothing to send. */
const nextDue = prepared(
  (param: ParamOf<Queue>) => sql<{ at: Date | null }>`
    SELECT min(next_try) AS at FROM webhook_deliveries AS delivery
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND webhook_id = ${param(({ webhookId }) => webhookId)}
      AND status = 'pending' AND NOT EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject = delivery.subject AND earlier.status = 'pending'
          AND earlier.id < delivery.id)`,
)

const isAhead = prepared(
  (param: ParamOf<{ time: Date }>) => sql<{ ahead: boolean }>`SELECT ${param(({ time }) => time)}::timestamptz > now() AS ahead`,
)

/** The pause of a delivery whose record could not be read, in milliseconds. */
const unreadPauseMs = 5000

/**
 * Sends what is due for a webhook that was changed, in the transaction of the change.
 * @param isAnew whether the failures so far say nothing about it, so that deliveries which wait for their next try are due as well
 */
export async function resumeSending(tx: Tx, customerId: Id, webhookId: Id, isAnew: boolean): Promise<void> {
  if (isAnew)
    await tx.$executeRaw`
      UPDATE webhook_deliveries SET next_try = now()
      WHERE customer_id = ${customerId} AND webhook_id = ${webhookId} AND status = 'pending' AND next_try > now()`
  await enqueueSending(tx, customerId, webhookId)
}

/** The queue of pending deliveries. Each webhook has one job at a time, and only that reads and writes its deliveries. */
export const deliveryQueue = (db: Db) => {
  /** Adds deliveries for webhooks of an office, in the order of the events. */
  const addWanted = (customerId: Id, wanted: readonly Wanted[]): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      // A webhook that was deleted meanwhile is skipped: it is locked, because otherwise the foreign key would refuse the deliveries of all webhooks.
      const added = await tx.$queryRaw<{ webhookId: Id; at: Date | null }[]>`
        WITH added AS (
          INSERT INTO webhook_deliveries (customer_id, webhook_id, event_id, event_type, event_time, subject, expires)
          SELECT webhook.customer_id, webhook.id, event.id, event.type, event.time, event.subject,
            now() + ${triedForMs}::float8 * interval '1 millisecond'
          FROM unnest(
            ${wanted.map(({ webhookId }) => webhookId)}::bigint[], ${wanted.map(({ event }) => event.id)}::text[],
            ${wanted.map(({ event }) => event.type)}::text[], ${wanted.map(({ event }) => event.time.toISOString())}::timestamptz[],
            ${wanted.map(({ event }) => subjectOf(event))}::text[]
          ) WITH ORDINALITY AS event (webhook_id, id, type, time, subject, nth)
          JOIN webhooks AS webhook ON webhook.customer_id = ${customerId} AND webhook.id = event.webhook_id AND webhook.active
          ORDER BY event.nth FOR KEY SHARE OF webhook
          ON CONFLICT (webhook_id, event_id) DO NOTHING RETURNING webhook_id
        )
        SELECT id AS "webhookId", paused_until AS at FROM webhooks WHERE id IN (SELECT webhook_id FROM added)`
      await enqueueSendings(tx, customerId, added)
    })

  return {
    /** Adds a delivery for each webhook of the office that is subscribed to the event. Idempotent. Most events have no subscribed webhook. */
    async add(events: readonly WebhookEvent[]): Promise<void> {
      const found = await db.query(platform, wanting(events))
      const wanted = found.flatMap(({ nth, id }) => {
        const event = events[Number(nth) - 1]
        return event ? [{ webhookId: id, event }] : []
      })
      for (const [customerId, ofOffice] of Map.groupBy(wanted, ({ event }) => event.customerId)) await addWanted(customerId, ofOffice)
    },

    due: ({ customerId, webhookId }: Queue, limit: number): Promise<PendingDelivery[]> =>
      db.query(office(customerId), due({ customerId, webhookId, limit })),

    /** Whether a time is in the future by the clock of the database, which also starts the job that waits for it. */
    isAhead: async (customerId: Id, time: Date): Promise<boolean> =>
      (await db.query(office(customerId), isAhead({ time })))[0]?.ahead ?? false,

    nextDue: async (queue: Queue): Promise<Date | null> => (await db.query(office(queue.customerId), nextDue(queue)))[0]?.at ?? null,

    /**
     * Stores the results of tries. Deliveries that are no longer pending stay unchanged.
     * @param isAsTried false where somebody has changed the webhook meanwhile, so that failed deliveries are retried at once
     */
    async record({ customerId, webhookId }: Queue, tried: readonly TriedDelivery[], isAsTried: boolean): Promise<void> {
      const isTried = ({ payload }: TriedDelivery) => payload !== null
      const pauseOf = ({ delivery }: TriedDelivery) => (isAsTried ? pauseAfter(delivery.tries + 1) : 0)
      const pauses = tried.map((one) => (isTried(one) ? pauseOf(one) : unreadPauseMs))
      await db.write(
        office(customerId),
        (tx) => tx.$executeRaw`
      UPDATE webhook_deliveries AS delivery SET
        tries = delivery.tries + tried.tries, payload = coalesce(delivery.payload, tried.payload),
        status = after.status, status_code = tried.code, last_error = tried.error,
        next_try = CASE WHEN after.status = 'pending' THEN tried.again END,
        delivered = CASE WHEN after.status = 'delivered' THEN now() ELSE delivery.delivered END,
        ended = CASE WHEN after.status <> 'pending' THEN now() END
      FROM (
        SELECT id, tries, payload, code, error, now() + pause_ms * interval '1 millisecond' AS again
        FROM unnest(
          ${tried.map(({ delivery }) => delivery.id)}::bigint[], ${tried.map((one) => Number(isTried(one)))}::int[],
          ${tried.map(({ payload }) => payload)}::text[], ${tried.map(({ statusCode }) => statusCode)}::int[],
          ${tried.map(({ error }) => error)}::text[], ${pauses}::float8[]
        ) AS tried (id, tries, payload, code, error, pause_ms)
      ) AS tried JOIN webhook_deliveries AS before ON before.id = tried.id CROSS JOIN LATERAL (
        SELECT CASE WHEN tried.error IS NULL THEN 'delivered' WHEN tried.again > before.expires THEN 'failed' ELSE 'pending' END
      ) AS after (status)
      WHERE delivery.id = tried.id AND delivery.customer_id = ${customerId} AND delivery.webhook_id = ${webhookId} AND delivery.status = 'pending'`,
      )
    },

    /** Marks expired deliveries as failed, or all of a webhook that is switched off. @returns how many, at most 1,000 */
    giveUp: ({ customerId, webhookId }: Queue, isActive: boolean): Promise<number> =>
      db.write(
        office(customerId),
        (tx) => tx.$executeRaw`
        UPDATE webhook_deliveries SET
          status = 'failed', next_try = NULL, ended = now(), last_error = coalesce(last_error, ${isActive ? 'expired' : 'inactive'})
        WHERE id IN (
          SELECT id FROM webhook_deliveries
          WHERE customer_id = ${customerId} AND webhook_id = ${webhookId} AND status = 'pending' AND (NOT ${isActive} OR expires <= now())
          LIMIT 1000)`,
      ),
  }
}

export type DeliveryQueue = ReturnType<typeof deliveryQueue>
