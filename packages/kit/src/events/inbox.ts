import type { RawTransaction } from '../database/index.js'

/**
 * Notes in the transaction of an effect that `consumer` has handled the event. For effects that are not idempotent by themselves; the writes of a copy are
 * (`keepNewest`).
 * @returns false when it was noted before: then the effect must be skipped
 */
export async function once(tx: RawTransaction, consumer: string, eventId: string): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    INSERT INTO kit.inbox (consumer, event_id) VALUES (${consumer}, ${eventId}::uuid) ON CONFLICT DO NOTHING`
  return inserted === 1
}
