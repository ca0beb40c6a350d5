-- One address is written in many ways. lower() is not leakproof: row-level security is applied before it, and no index on it serves. Equality of text is.
ALTER TABLE "issue_initiators" ADD COLUMN "email_lower" TEXT GENERATED ALWAYS AS (lower("email")) STORED;

-- CreateIndex
CREATE INDEX "issue_initiators_customer_id_email_lower_id_idx" ON "issue_initiators"("customer_id", "email_lower", "id");
