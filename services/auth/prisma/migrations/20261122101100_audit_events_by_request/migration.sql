-- Alone in its file, so that it runs outside of a transaction: the table is large, and is written to meanwhile.
CREATE INDEX CONCURRENTLY "audit_events_customer_id_request_id_id_idx" ON "audit_events"("customer_id", "request_id", "id");
