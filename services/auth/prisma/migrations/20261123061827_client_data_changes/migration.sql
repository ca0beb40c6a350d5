-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "company_name" TEXT;

-- CreateTable
CREATE TABLE "client_data_changes" (
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "user_client_id" BIGINT,
    "user_id" BIGINT,
    "address" BYTEA,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended" TIMESTAMPTZ(3),

    CONSTRAINT "client_data_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "client_data_changes_ended_idx" ON "client_data_changes"("ended");

CREATE UNIQUE INDEX "client_data_changes_address_key" ON "client_data_changes"("address") WHERE "state" = 'reserved';
CREATE INDEX "client_data_changes_user_client_id_idx" ON "client_data_changes"("user_client_id") WHERE "state" = 'reserved';
CREATE INDEX "client_data_changes_user_id_idx" ON "client_data_changes"("user_id") WHERE "state" = 'reserved';

-- Two transactions about one address take turns: what the first has written, the second sees.
CREATE FUNCTION "lock_address"("email" text) RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('address ' || lower("email"), 0));
    RETURN sha256(convert_to(lower("email"), 'UTF8'));
END
$$;

-- A reserved address is for the accounts for which it is reserved, and these get no other one meanwhile.
CREATE FUNCTION "keep_reserved_addresses"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "hash" bytea := "lock_address"(NEW."email"::text);
    "is_client" boolean := TG_TABLE_NAME = 'clients';
BEGIN
    IF EXISTS (
        SELECT FROM "client_data_changes"
        WHERE "state" = 'reserved' AND "address" = "hash"
            AND CASE WHEN "is_client" THEN "user_client_id" ELSE "user_id" END IS DISTINCT FROM NEW."id"
    ) OR EXISTS (
        SELECT FROM "client_data_changes"
        WHERE "state" = 'reserved' AND "address" <> "hash"
            AND CASE WHEN "is_client" THEN "user_client_id" = NEW."id" ELSE "user_id" = NEW."id" END
    ) THEN
        RAISE EXCEPTION 'the address is reserved' USING ERRCODE = 'unique_violation', CONSTRAINT = 'reserved_address';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER "keep_reserved_addresses" BEFORE INSERT ON "clients" FOR EACH ROW EXECUTE FUNCTION "keep_reserved_addresses"();
CREATE TRIGGER "keep_reserved_addresses_of_changes" BEFORE UPDATE OF "email" ON "clients"
    FOR EACH ROW WHEN (NEW."email"::text <> OLD."email"::text) EXECUTE FUNCTION "keep_reserved_addresses"();
CREATE TRIGGER "keep_reserved_addresses" BEFORE INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION "keep_reserved_addresses"();
CREATE TRIGGER "keep_reserved_addresses_of_changes" BEFORE UPDATE OF "email" ON "users"
    FOR EACH ROW WHEN (NEW."email"::text <> OLD."email"::text) EXECUTE FUNCTION "keep_reserved_addresses"();
