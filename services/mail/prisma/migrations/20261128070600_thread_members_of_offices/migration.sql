-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. The rows of one office are read in this order, and deleted.
CREATE INDEX CONCURRENTLY "thread_members_customer_id_mail_server_id_hash_idx" ON "thread_members"("customer_id", "mail_server_id", "hash");
