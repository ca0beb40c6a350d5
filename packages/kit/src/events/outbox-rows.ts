import type pg from 'pg'
import type { EventRecord } from './transport.js'

interface OutboxRow {
  id: bigint
  event_id: string
  topic: string
  key: string
  payload: Uint8Array
  headers: Record<string, string>
  created: Date
}

/** Events with the same topic and key keep their order. */
export type OrderKey = Pick<EventRecord, 'topic' | 'key'>

export interface UnpublishedQuery {
  /** The lowest id that is read. See `createLowWatermark`. */
  readonly from: bigint
  readonly limit: number
  /** Events of these keys are skipped, because an earlier one is still being delivered. */
  readonly without: readonly OrderKey[]
}

/** A row of the outbox, as the record to publish. */
export interface OutboxEvent {
  readonly id: bigint
  readonly record: EventRecord
}

/** The oldest unpublished events, in the order of their ids. */
export async function readUnpublished(connection: pg.ClientBase, { from, limit, without }: UnpublishedQuery): Promise<OutboxEvent[]> {
  const { rows } = await connection.query<OutboxRow>({
    name: 'kit_unpublished',
    text: `SELECT id, event_id, topic, key, payload, headers, created FROM kit.outbox
           WHERE published_at IS NULL AND id >= $1 AND (topic, key) NOT IN (SELECT * FROM unnest($2::text[], $3::text[]))
           ORDER BY id LIMIT $4`,
    values: [from, without.map(({ topic }) => topic), without.map(({ key }) => key), limit],
  })
  return rows.map((row) => ({ id: row.id, record: recordOf(row) }))
}

/** Published events are deleted, not kept: their history is in Kafka and in the audit log. */
export async function deletePublished(connection: pg.ClientBase, ids: readonly bigint[]): Promise<void> {
  await connection.query({ name: 'kit_published', text: 'DELETE FROM kit.outbox WHERE id = ANY($1)', values: [ids] })
}

/** Whether there is an unpublished event with an id from `from` to `to`, both inclusive. */
export async function hasUnpublished(connection: pg.ClientBase, from: bigint, to: bigint): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: 'kit_has_unpublished',
    text: 'SELECT FROM kit.outbox WHERE published_at IS NULL AND id BETWEEN $1 AND $2 ORDER BY id LIMIT 1',
    values: [from, to],
  })
  return rowCount === 1
}

/** The record with its attributes as headers (CloudEvents 1.0, Kafka protocol binding, binary content mode). */
function recordOf({ event_id, topic, key, payload, headers, created }: OutboxRow): EventRecord {
  const [service] = topic.split('.')
  const attributes = {
    ce_specversion: '1.0',
    ce_id: event_id,
    ce_type: topic,
    ce_source: `/${service}`,
    ce_time: created.toISOString(),
    'content-type': 'application/protobuf',
  }
  return { topic, key, id: event_id, payload, time: created, headers: { ...headers, ...attributes } }
}
