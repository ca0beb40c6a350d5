import type { Topic } from '@caseway/protos/topic'
import { type RawBuilder, sql } from 'kysely'
import { type BatchStatement, type ParamOf, prepared, type RawTransaction } from '../database/index.js'
import { requestContext } from '../observability/index.js'

/** The NOTIFY channel that wakes the relay, which otherwise polls every 3 seconds. */
export const relayChannel = 'kit_outbox'

/**
 * Emits an event in the transaction `tx` of `db.write` that makes the change: the event is published only if that transaction commits. It carries the trace
 * of the running request.
 */
export async function outbox<T>(tx: RawTransaction, topic: Topic<T>, event: T): Promise<void> {
  const payload = topic.message.encode(event).finish()
  tx.$notify(relayChannel)
  await tx.$executeRaw`
    INSERT INTO kit.outbox (topic, key, payload, headers)
    VALUES (${topic.name}, ${topic.key(event)}, ${payload}, ${headers()}::jsonb)`
}

/** What `outboxStatement` needs of the parameter of its statement. */
interface Emitted<T> {
  readonly event: T
}

/**
 * `outbox` as a statement of a batch. Call it once per topic, at start-up.
 * @param completed SQL of the payload, for fields whose values only PostgreSQL knows, such as a new id. Encoded messages may be concatenated
 * (protobuf.dev, Encoding); `kit.protobuf_int64(field, value)` and `kit.protobuf_message(field, encoded)` return encoded fields
 * @returns the function that makes the statement for an event
 */
export function outboxStatement<T, Event extends Emitted<T> = Emitted<T>>(
  topic: Topic<T>,
  completed: (param: ParamOf<Event>) => RawBuilder<unknown> = (param) => sql`${param(({ event }) => topic.message.encode(event).finish())}`,
): (event: Event) => BatchStatement {
  const insert = prepared(
    (param: ParamOf<Event>) => sql`
      INSERT INTO kit.outbox (topic, key, payload, headers)
      VALUES (${topic.name}, ${param(({ event }) => topic.key(event))}, ${completed(param)}, ${param(headers)}::jsonb)`,
  )
  return (event) => ({ ...insert(event), notifies: [{ channel: relayChannel }] })
}

/** As `outbox`, for many events of one topic in one statement. They are published in the order of `events`. */
export async function outboxAll<T>(tx: RawTransaction, topic: Topic<T>, events: readonly T[]): Promise<void> {
  if (events.length === 0) return
  const keys = events.map((event) => topic.key(event))
  tx.$notify(relayChannel)
  const payloads = events.map((event) => Buffer.from(topic.message.encode(event).finish()))
  await tx.$executeRaw`
    INSERT INTO kit.outbox (topic, key, payload, headers)
    SELECT ${topic.name}, key, payload, ${headers()}::jsonb
    FROM unnest(${keys}::text[], ${payloads}::bytea[]) WITH ORDINALITY AS event (key, payload, place) ORDER BY place`
}

/** The headers of an event that is emitted now, as JSON: the `traceparent` of the running request, if it has one. */
function headers(): string {
  const { traceparent } = requestContext.get() ?? {}
  return JSON.stringify({ traceparent })
}
