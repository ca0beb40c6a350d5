-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. The rows of one office are read in this order, and deleted.
CREATE INDEX CONCURRENTLY "message_locations_customer_id_remote_folder_id_epoch_uid_idx" ON "message_locations"("customer_id", "remote_folder_id", "epoch", "uid");
