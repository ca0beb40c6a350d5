import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { subjectOf, type WebhookEvent } from '../webhook-events/event-type.js'
import { everyEvent } from '../webhooks/webhook-events.field.js'
import { pauseAfter, triedForMs } from './pauses.js'
import { enqueueSendings } from './sending.job.js'
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

/** The oldest first, without what stands behind something of the same record that is not due. */
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

/** When the first of what stands before all others of its record is due; null when there is nothing to send. */
const nextDue = prepared(
  (param: ParamOf<Queue>) => sql<{ at: Date | null }>`
    SELECT min(next_try) AS at FROM webhook_deliveries AS delivery
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND webhook_id = ${param(({ webhookId }) => webhookId)}
      AND status = 'pending' AND NOT EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject = delivery.subject AND earlier.status = 'pending'
          AND earlier.id < delivery.id)`,
)

/** For how long the try of a delivery waits whose record could not be read. */
const unreadPauseMs = 5000

/** What is to be sent, by webhooks. Each of them has one job at a time, which alone reads and writes what it has to send. */
export const deliveryQueue = (db: Db) => {
  /** What webhooks of an office want, in the order of the events. */
  const addWanted = (customerId: Id, wanted: readonly Wanted[]): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      // A webhook that was deleted since it was found is left out.
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
          ORDER BY event.nth
          ON CONFLICT (webhook_id, event_id) DO NOTHING RETURNING webhook_id
        )
        SELECT id AS "webhookId", paused_until AS at FROM webhooks WHERE id IN (SELECT webhook_id FROM added)`
      await enqueueSendings(tx, customerId, added)
    })

  return {
    /** For each webhook of its office that wants an event: once, however often the event comes. Most events are wanted by nobody. */
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

    nextDue: async (queue: Queue): Promise<Date | null> => (await db.query(office(queue.customerId), nextDue(queue)))[0]?.at ?? null,

    /**
     * What is no longer pending has been ended meanwhile, and stays as it is.
     * @param isAsTried false where somebody has changed the webhook meanwhile: what failed is tried again at once
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

    /** What has not been delivered in its time, and all of a webhook that is switched off, has failed. @returns how many, at most 1,000 */
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
