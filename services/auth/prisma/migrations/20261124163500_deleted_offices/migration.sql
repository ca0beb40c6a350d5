-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "deleted" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "deletes_at" TIMESTAMPTZ(3);

-- The job that deletes offices finds the few that wait for it.
CREATE INDEX "customers_deletes_at_idx" ON "customers"("deletes_at") WHERE "deletes_at" IS NOT NULL AND NOT "deleted";

-- Append only, for every role, whatever it was granted. A row may be deleted when it is older than it is kept, one year, and with its office.
CREATE OR REPLACE FUNCTION "keep_audit_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD."created" < now() - interval '1 year' OR EXISTS (SELECT FROM "customers" WHERE "id" = OLD."customer_id" AND "deleted") THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit_events is append only' USING ERRCODE = 'insufficient_privilege';
END
$$;
