-- Takes an Idempotency-Key until the end of the transaction, which writes its row. An error where the key is held, so that no statement behind
-- it in the same message is carried out: by a row of less than a day, or by a transaction that has not ended. The lock shows the latter without
-- waiting, as the unique index would. The row is looked for behind the lock, by a statement that sees what was committed until then.
CREATE FUNCTION "take_idempotency_key"("caller" text, "route" text, "key" text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    "is_outdated" boolean;
    "is_free" boolean := pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', $1, $2, $3), 0));
BEGIN
    IF "is_free" THEN
        SELECT "created" < now() - interval '24 hours' INTO "is_outdated" FROM kit."idempotency_key" AS "held"
        WHERE "held"."caller" = $1 AND "held"."route" = $2 AND "held"."key" = $3;
        "is_free" := "is_outdated" OR NOT FOUND;
    END IF;
    IF NOT "is_free" THEN
        RAISE EXCEPTION 'The idempotency key is held.' USING ERRCODE = 'unique_violation', CONSTRAINT = 'idempotency_key_pkey';
    END IF;
    IF "is_outdated" THEN
        DELETE FROM kit."idempotency_key" AS "held" WHERE "held"."caller" = $1 AND "held"."route" = $2 AND "held"."key" = $3;
    END IF;
END
$$;
