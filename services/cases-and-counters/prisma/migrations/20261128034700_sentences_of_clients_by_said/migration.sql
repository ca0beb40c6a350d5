-- Alone in its file, so that it runs outside of a transaction: the table is written to meanwhile.
CREATE INDEX CONCURRENTLY "issue_sentences_user_client_id_issue_id_said_id_idx" ON "issue_sentences"("user_client_id", "issue_id", "said", "id");
