-- CreateTable
CREATE TABLE "customers" (
    "id" BIGINT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);

-- Row-level security
ALTER TABLE "customers" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "customers" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "customers" USING ("id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
