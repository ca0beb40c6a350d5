import type { RawTransaction } from '../database/index.js'

/**
 * Whether `consumer` meets this event for the first time: the row is written in the transaction of the effect. For effects that
 * are neither copied state nor counted facts.
 */
export async function once(tx: RawTransaction, consumer: string, eventId: string): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    INSERT INTO kit.inbox (consumer, event_id) VALUES (${consumer}, ${eventId}::uuid) ON CONFLICT DO NOTHING`
  return inserted === 1
}
