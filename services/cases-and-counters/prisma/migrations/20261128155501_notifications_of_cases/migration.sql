-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. Those of a case that is deleted are found by it.
CREATE INDEX CONCURRENTLY "notifications_customer_id_issue_id_idx" ON "notifications"("customer_id", "issue_id");
