-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. The rows of one office are read in this order, and deleted.
CREATE INDEX CONCURRENTLY "common_file_objects_customer_id_id_idx" ON "common_file_objects"("customer_id", "id");
