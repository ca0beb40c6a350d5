-- CreateTable
CREATE TABLE "office_domains" (
    "customer_id" BIGINT NOT NULL,
    "domain" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "office_domains_pkey" PRIMARY KEY ("customer_id")
);

-- CreateIndex
CREATE INDEX "office_domains_domain_idx" ON "office_domains"("domain");

-- Row-level security
ALTER TABLE "office_domains" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "office_domains" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "office_domains" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
