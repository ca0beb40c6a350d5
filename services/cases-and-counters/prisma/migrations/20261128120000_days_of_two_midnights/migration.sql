-- Work of days that begin or end at a midnight that comes twice, where clocks go back from one o'clock. It was counted as if such a day began with the
-- second one: what was done in the hour before was lost, or counted for the day before. An office that is not known has the clocks that are the default.
SELECT set_config('app.platform', 'on', true);
DO $$
DECLARE
    "counted_wrong" bigint[] := ARRAY(
        SELECT "work_times"."id" FROM "work_times" LEFT JOIN "customers" ON "customers"."id" = "customer_id"
            CROSS JOIN LATERAL (SELECT COALESCE("time_zone", 'Europe/Warsaw') AS "zone") AS "clocks"
        WHERE "ended" > "started" AND EXISTS (
            SELECT FROM generate_series(
                date_trunc('day', "started" AT TIME ZONE "zone"), ("ended" AT TIME ZONE "zone") + interval '1 day', interval '1 day') AS "day"
            WHERE "day" AT TIME ZONE "zone" <> ("day" - interval '1 second') AT TIME ZONE "zone" + interval '1 second'));
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
            SELECT ("day" - interval '1 second') AT TIME ZONE "zone" + interval '1 second' AS "begins",
                ("day" + interval '1 day' - interval '1 second') AT TIME ZONE "zone" + interval '1 second' AS "ends"
        ) AS "bounds"
    WHERE least("ended", "ends") > greatest("started", "begins");
END
$$;
