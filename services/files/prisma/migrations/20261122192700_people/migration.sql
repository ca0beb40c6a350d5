CREATE TABLE "customers" (
    "id" BIGINT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "client_links" (
    "id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "client_id" BIGINT NOT NULL,
    "linked" BOOLEAN NOT NULL,
    "revision" BIGINT NOT NULL,
    "state" TEXT,
    "state_revision" BIGINT,

    CONSTRAINT "client_links_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "client_links_customer_id_client_id_idx" ON "client_links"("customer_id", "client_id");
CREATE INDEX "client_links_client_id_idx" ON "client_links"("client_id");
ALTER TABLE "customers" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "customers" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "customers" USING ("id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
ALTER TABLE "client_links" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "client_links" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "client_links" USING ("customer_id" = (SELECT NULLIF(current_setting('app.customer_id', true), '')::bigint) OR (SELECT current_setting('app.platform', true) = 'on'));
CREATE POLICY "own" ON "client_links" FOR SELECT USING ("client_id" = (SELECT NULLIF(current_setting('app.client_id', true), '')::bigint));
-- Whether the client sees their own records at the office: after the link ended they still do, after a ban they do not. Unknown is no. No
-- constraint says which states there are: a later build may know more of them, while an earlier one still runs.
CREATE FUNCTION "is_open"("link" "client_links") RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN "link"."linked" OR (
        "link"."state_revision" IS NOT DISTINCT FROM "link"."revision"
        AND COALESCE("link"."state" IN ('invited', 'active', 'ended'), false));
-- The offices at which the client of this transaction sees their own records. Every policy that admits a client asks it, once a statement.
CREATE FUNCTION "client_offices"() RETURNS bigint[] LANGUAGE sql STABLE
    RETURN (
        SELECT COALESCE(array_agg("link"."customer_id"), '{}')
        FROM "client_links" AS "link"
        WHERE "link"."client_id" = NULLIF(current_setting('app.client_id', true), '')::bigint AND "is_open"("link")
    );
