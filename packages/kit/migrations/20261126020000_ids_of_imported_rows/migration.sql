-- The id that a row of an imported office has here. `ids` says it for the rows of one table: those from `first` to `last` have moved by `shift`, some are
-- `known` here by an id of their own, and every other id becomes `nobody`, which no row has. 0 stands for no row, and stays.
CREATE FUNCTION "new_id"("ids" jsonb, "id" bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT CASE
        WHEN "id" = 0 THEN 0
        WHEN "ids" -> 'known' ? "id"::text THEN ("ids" -> 'known' ->> "id"::text)::bigint
        WHEN "id" BETWEEN ("ids" ->> 'first')::bigint AND ("ids" ->> 'last')::bigint THEN "id" + ("ids" ->> 'shift')::bigint
        ELSE ("ids" ->> 'nobody')::bigint
    END
$$;
