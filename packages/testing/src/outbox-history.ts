import type { Topic } from '@caseway/protos/topic'
import type { TestDatabase } from './database.js'

/**
 * SQL for the owner of a service's database: from then on `kit.outbox_history` keeps every event that is written to the outbox, also after it was
 * published and deleted.
 */
export const keepOutboxHistory = `
  CREATE TABLE kit.outbox_history (LIKE kit.outbox);
  CREATE FUNCTION kit.keep_outbox_history() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    'BEGIN INSERT INTO kit.outbox_history SELECT NEW.*; RETURN NULL; END';
  CREATE TRIGGER outbox_history AFTER INSERT ON kit.outbox FOR EACH ROW EXECUTE FUNCTION kit.keep_outbox_history()`

export interface PublishedEvent<T> {
  readonly event: T
  readonly key: string
}

/** The events of a topic that were written to the outbox, in the order of their ids. Needs `keepOutboxHistory`. */
export async function publishedEvents<T>({ rows }: TestDatabase, { name, message }: Topic<T>): Promise<PublishedEvent<T>[]> {
  const sql = 'SELECT payload, key FROM kit.outbox_history WHERE topic = $1 ORDER BY id'
  const found = await rows<{ payload: Buffer; key: string }>(sql, [name])
  return found.map(({ payload, key }) => ({ event: message.decode(payload), key }))
}
