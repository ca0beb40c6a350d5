-- Equality of citext is not leakproof: row-level security is applied before it, and no index serves it. Equality of text is.
ALTER TABLE "users" ADD COLUMN "email_lower" TEXT GENERATED ALWAYS AS (lower("email"::text)) STORED;
ALTER TABLE "clients" ADD COLUMN "email_lower" TEXT GENERATED ALWAYS AS (lower("email"::text)) STORED;

-- CreateIndex
CREATE INDEX "users_email_lower_idx" ON "users"("email_lower");

-- CreateIndex
CREATE INDEX "clients_email_lower_idx" ON "clients"("email_lower");
