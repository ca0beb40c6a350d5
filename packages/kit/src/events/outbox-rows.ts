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

export interface Unpublished {
  ids: bigint[]
  records: EventRecord[]
}

/**
 * The oldest unpublished events, in the order of their ids. Never "id greater than the last": transactions commit in another
 * order than they take their ids, so that some would be left out for ever.
 */
export async function readUnpublished(connection: pg.ClientBase, limit: number): Promise<Unpublished> {
  const { rows } = await connection.query<OutboxRow>({
    name: 'kit_unpublished',
    text: `SELECT id, event_id, topic, key, payload, headers, created FROM kit.outbox
           WHERE published_at IS NULL ORDER BY id LIMIT $1`,
    values: [limit],
  })
  return { ids: rows.map((row) => row.id), records: rows.map(recordOf) }
}

/** Their history is Kafka's and the audit's; here they would only make the table grow. */
export async function deletePublished(connection: pg.ClientBase, ids: bigint[]): Promise<void> {
  await connection.query({ name: 'kit_published', text: 'DELETE FROM kit.outbox WHERE id = ANY($1)', values: [ids] })
}

/** CloudEvents 1.0, Kafka protocol binding, binary content mode. */
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
