-- CreateTable
CREATE TABLE "former_mailboxes" (
    "id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "user_email" TEXT NOT NULL,
    "last_version" INTEGER NOT NULL,

    CONSTRAINT "former_mailboxes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "former_mailboxes_customer_id_user_id_idx" ON "former_mailboxes"("customer_id", "user_id");

-- Row-level security
ALTER TABLE "former_mailboxes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "former_mailboxes" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "former_mailboxes" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
