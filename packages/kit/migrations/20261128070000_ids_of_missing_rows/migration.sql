-- The id that a row of an imported office has here. `ids` says it for the rows of one table: those from `first` to `last` have moved by `shift`, and some are
-- `known` here by an id of their own. An id of no row in the export, as of one that was deleted, moves beyond what sequences give: no row has it, and two of
-- them stay two, also when the office is imported once more. What JSON cannot say becomes `nobody`. 0 stands for no row, and stays.
CREATE OR REPLACE FUNCTION "new_id"("ids" jsonb, "id" bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT CASE
        WHEN "id" = 0 THEN 0
        WHEN "ids" -> 'known' ? "id"::text THEN ("ids" -> 'known' ->> "id"::text)::bigint
        WHEN "id" BETWEEN ("ids" ->> 'first')::bigint AND ("ids" ->> 'last')::bigint THEN "id" + ("ids" ->> 'shift')::bigint
        WHEN "id" BETWEEN 1 AND 9007199254740991 - 10000000000000 THEN "id" + 10000000000000
        ELSE ("ids" ->> 'nobody')::bigint
    END
$$;
