/**
 * SQL, to be run as the owner of a service's database: from then on `kit.outbox_history` has every event that was written to the outbox, also
 * those that were published and deleted.
 */
export const keepOutboxHistory = `
  CREATE TABLE kit.outbox_history (LIKE kit.outbox);
  CREATE FUNCTION kit.keep_outbox_history() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    'BEGIN INSERT INTO kit.outbox_history SELECT NEW.*; RETURN NULL; END';
  CREATE TRIGGER outbox_history AFTER INSERT ON kit.outbox FOR EACH ROW EXECUTE FUNCTION kit.keep_outbox_history()`
