-- What the check of counters has seen.
-- CreateTable
CREATE TABLE "counter_checks" (
    "customer_id" BIGINT NOT NULL,
    "checked" TIMESTAMPTZ(3) NOT NULL,
    "drift" JSONB NOT NULL,

    CONSTRAINT "counter_checks_pkey" PRIMARY KEY ("customer_id")
);

ALTER TABLE "counter_checks" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "counter_checks" FORCE ROW LEVEL SECURITY;
CREATE POLICY "platform" ON "counter_checks" USING ((SELECT current_setting('app.platform', true) = 'on'));
