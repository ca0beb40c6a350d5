-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile.
CREATE INDEX CONCURRENTLY "issue_sentences_customer_id_issue_id_said_id_idx" ON "issue_sentences"("customer_id", "issue_id", "said", "id");
