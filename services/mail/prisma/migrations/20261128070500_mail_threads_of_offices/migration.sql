-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. The rows of one office are read in this order, and deleted.
CREATE INDEX CONCURRENTLY "mail_threads_customer_id_id_idx" ON "mail_threads"("customer_id", "id");
