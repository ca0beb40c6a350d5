-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. The rows of one office are read in this order, and deleted.
CREATE INDEX CONCURRENTLY "feed_entries_customer_id_feed_revision_idx" ON "feed_entries"("customer_id", "feed", "revision");
