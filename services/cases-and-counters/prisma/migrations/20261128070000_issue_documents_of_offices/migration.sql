-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile. The rows of one office are read in this order, and deleted.
CREATE INDEX CONCURRENTLY "issue_documents_customer_id_issue_id_idx" ON "issue_documents"("customer_id", "issue_id");
