-- Alone in its file, so that it runs outside of a transaction and stops no writes. What was read here and is to be set at the server is looked for at every look at a mailbox: without an index all of its messages were read.
CREATE INDEX CONCURRENTLY "message_locations_seen_to_set_idx" ON "message_locations"("remote_folder_id", "epoch", "uid") WHERE "seen_to_set" IS NOT NULL;
