-- CreateTable
CREATE TABLE "work_time_days" (
    "work_time_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "seconds" INTEGER NOT NULL,

    CONSTRAINT "work_time_days_pkey" PRIMARY KEY ("work_time_id","day")
);

-- CreateIndex
CREATE INDEX "work_time_days_customer_id_day_idx" ON "work_time_days"("customer_id", "day");

-- AddForeignKey
ALTER TABLE "work_time_days" ADD CONSTRAINT "work_time_days_work_time_id_fkey" FOREIGN KEY ("work_time_id") REFERENCES "work_times"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security
ALTER TABLE "work_time_days" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "work_time_days" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "work_time_days" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));

-- The work times that are there. An office that is not known yet has the clocks that are the default.
INSERT INTO "work_time_days" ("work_time_id", "day", "customer_id", "seconds")
SELECT "id", "day"::date, "customer_id",
    extract(epoch FROM least("ended", ("day" + interval '1 day') AT TIME ZONE "zone") - greatest("started", "day" AT TIME ZONE "zone"))::int
FROM (
    SELECT "work_times".*, COALESCE("time_zone", 'Europe/Warsaw') AS "zone"
    FROM "work_times" LEFT JOIN "customers" ON "customers"."id" = "customer_id" WHERE "ended" > "started"
) AS "work_time"
    CROSS JOIN LATERAL generate_series(date_trunc('day', "started" AT TIME ZONE "zone"), "ended" AT TIME ZONE "zone", interval '1 day') AS "day"
WHERE least("ended", ("day" + interval '1 day') AT TIME ZONE "zone") > greatest("started", "day" AT TIME ZONE "zone");
