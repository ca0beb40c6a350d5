-- Work of days before which clocks go forward to midnight, as in Greenland, or over a whole day. It was counted as if such a day began later by what was
-- skipped. An office that is not known has the clocks that are the default.
SELECT set_config('app.platform', 'on', true);
DO $$
DECLARE
    "counted_wrong" bigint[] := ARRAY(
        SELECT "work_times"."id" FROM "work_times" LEFT JOIN "customers" ON "customers"."id" = "customer_id"
            CROSS JOIN LATERAL (SELECT COALESCE("time_zone", 'Europe/Warsaw') AS "zone") AS "clocks"
        WHERE "ended" > "started" AND EXISTS (
            SELECT FROM generate_series(
                date_trunc('day', "started" AT TIME ZONE "zone"), ("ended" AT TIME ZONE "zone") + interval '1 day', interval '1 day') AS "day"
            WHERE "day" AT TIME ZONE "zone" < ("day" - interval '1 second') AT TIME ZONE "zone" + interval '1 second'));
BEGIN
    -- Whoever changes one of them counts it anew, before or after this.
    PERFORM FROM "work_times" WHERE "id" = ANY ("counted_wrong") ORDER BY "id" FOR UPDATE;
    DELETE FROM "work_time_days" WHERE "work_time_id" = ANY ("counted_wrong");
    INSERT INTO "work_time_days" ("work_time_id", "day", "customer_id", "seconds")
    SELECT "id", "day"::date, "customer_id", extract(epoch FROM least("ended", "ends") - greatest("started", "begins"))::int
    FROM (
        SELECT "work_times".*, COALESCE("time_zone", 'Europe/Warsaw') AS "zone"
        FROM "work_times" LEFT JOIN "customers" ON "customers"."id" = "customer_id"
        WHERE "work_times"."id" = ANY ("counted_wrong") AND "ended" > "started"
    ) AS "work_time"
        CROSS JOIN LATERAL generate_series(date_trunc('day', "started" AT TIME ZONE "zone"), "ended" AT TIME ZONE "zone", interval '1 day') AS "day"
        CROSS JOIN LATERAL (
            SELECT least("day" AT TIME ZONE "zone", ("day" - interval '1 second') AT TIME ZONE "zone" + interval '1 second') AS "begins",
                least(("day" + interval '1 day') AT TIME ZONE "zone", ("day" + interval '1 day' - interval '1 second') AT TIME ZONE "zone" + interval '1 second') AS "ends"
        ) AS "bounds"
    WHERE least("ended", "ends") > greatest("started", "begins");
END
$$;
