-- Alone in its file, so that it runs outside of a transaction: the table is the largest of the service, and is written to meanwhile.
CREATE INDEX CONCURRENTLY "refresh_tokens_expires_idx" ON "refresh_tokens"("expires");
