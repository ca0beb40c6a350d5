-- The relay is notified after the commit, outside of the transaction (see `Database.notify`). What a build before this one writes waits for the
-- relay's next look, a second at most.
DROP TRIGGER "outbox_written" ON "outbox";
DROP FUNCTION "wake_relay"();

-- What is published is deleted, so that the primary key finds what is not published as well.
DROP INDEX "outbox_unpublished_idx";
