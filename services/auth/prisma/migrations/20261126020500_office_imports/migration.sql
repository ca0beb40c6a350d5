-- CreateTable
CREATE TABLE "office_imports" (
    "hash" BYTEA NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "blocks" JSONB NOT NULL,
    "completed" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "office_imports_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "office_imports_customer_id_idx" ON "office_imports"("customer_id");

ALTER TABLE "office_imports" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "office_imports" FORCE ROW LEVEL SECURITY;
CREATE POLICY "platform" ON "office_imports" USING ((SELECT current_setting('app.platform', true) = 'on'));
