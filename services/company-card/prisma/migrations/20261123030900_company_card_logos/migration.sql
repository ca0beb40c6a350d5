-- CreateTable
CREATE TABLE "company_card_logos" (
    "card_id" BIGINT NOT NULL,
    "published" BOOLEAN NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "mime" TEXT NOT NULL,
    "sha256" BYTEA NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "company_card_logos_pkey" PRIMARY KEY ("card_id","published")
);

-- Row-level security
ALTER TABLE "company_card_logos" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "company_card_logos" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "company_card_logos" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
