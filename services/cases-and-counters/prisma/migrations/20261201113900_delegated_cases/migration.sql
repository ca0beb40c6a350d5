-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. The cases that are delegated to a person; others have no entry.
CREATE INDEX CONCURRENTLY "issues_customer_id_delegated_user_id_id_idx" ON "issues"("customer_id", "delegated_user_id", "id") WHERE "delegated_user_id" IS NOT NULL;
